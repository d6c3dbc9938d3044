"""Transpose alone: `python Transpose_44dece8adb64.py [--threads N] [--json]`.

Benchmark 44dece8adb649915c7b432a795fa2077574490ffa493c825a17f6e86bcdfe0df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('44dece8adb649915c7b432a795fa2077574490ffa493c825a17f6e86bcdfe0df', SUITE, sys.argv[1:]))

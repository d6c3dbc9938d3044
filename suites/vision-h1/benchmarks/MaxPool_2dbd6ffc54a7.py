"""MaxPool alone: `python MaxPool_2dbd6ffc54a7.py [--threads N] [--json]`.

Benchmark 2dbd6ffc54a7e312f7108ad942ba1d0e35cfc3a0bab9fed947877e8407e10db8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2dbd6ffc54a7e312f7108ad942ba1d0e35cfc3a0bab9fed947877e8407e10db8', SUITE, sys.argv[1:]))

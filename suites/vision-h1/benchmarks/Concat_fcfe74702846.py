"""Concat alone: `python Concat_fcfe74702846.py [--threads N] [--json]`.

Benchmark fcfe7470284613980598e8b9b97d4ccbeb871887ecf230af06de9fffd320cf3a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fcfe7470284613980598e8b9b97d4ccbeb871887ecf230af06de9fffd320cf3a', SUITE, sys.argv[1:]))

"""Mul alone: `python Mul_4888f445f718.py [--threads N] [--json]`.

Benchmark 4888f445f71894c38f84720182906eccb929279709c6d4f18536ec14b952b60e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4888f445f71894c38f84720182906eccb929279709c6d4f18536ec14b952b60e', SUITE, sys.argv[1:]))

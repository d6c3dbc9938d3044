"""Mul alone: `python Mul_14965802749c.py [--threads N] [--json]`.

Benchmark 14965802749c245981ae2891439b0b633423da24779375e75266e836f7f4eb6b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('14965802749c245981ae2891439b0b633423da24779375e75266e836f7f4eb6b', SUITE, sys.argv[1:]))

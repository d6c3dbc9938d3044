"""Mul alone: `python Mul_6b8115eca1f9.py [--threads N] [--json]`.

Benchmark 6b8115eca1f9a56198c13b8f00049d45f7f0f502a508e2682e2efab1f891adef,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b8115eca1f9a56198c13b8f00049d45f7f0f502a508e2682e2efab1f891adef', SUITE, sys.argv[1:]))

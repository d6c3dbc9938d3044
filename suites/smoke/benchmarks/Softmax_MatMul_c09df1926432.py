"""Softmax_MatMul alone: `python Softmax_MatMul_c09df1926432.py [--threads N] [--json]`.

Benchmark c09df1926432eaeab25247e22b8a559e61900005b16f223eefee2869171f1837,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c09df1926432eaeab25247e22b8a559e61900005b16f223eefee2869171f1837', SUITE, sys.argv[1:]))

"""Mul_Add alone: `python Mul_Add_e16d9d52829c.py [--threads N] [--json]`.

Benchmark e16d9d52829cef5c3ab9c5e9136e424f08bf5205cc64ab801c10fc9acdd792ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e16d9d52829cef5c3ab9c5e9136e424f08bf5205cc64ab801c10fc9acdd792ed', SUITE, sys.argv[1:]))

"""Mul alone: `python Mul_c531f7d7318c.py [--threads N] [--json]`.

Benchmark c531f7d7318cbe31b0582f7176053976a379335c193826791026c8dd27721275,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c531f7d7318cbe31b0582f7176053976a379335c193826791026c8dd27721275', SUITE, sys.argv[1:]))

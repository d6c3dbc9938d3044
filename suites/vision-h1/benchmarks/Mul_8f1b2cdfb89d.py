"""Mul alone: `python Mul_8f1b2cdfb89d.py [--threads N] [--json]`.

Benchmark 8f1b2cdfb89d1ad9282e11e8898fcc8e5fd2da87fffb71c6ade88d04c2b4ecdf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8f1b2cdfb89d1ad9282e11e8898fcc8e5fd2da87fffb71c6ade88d04c2b4ecdf', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_3b631253897a.py [--threads N] [--json]`.

Benchmark 3b631253897a7de931edac54af76904fac25959c64ab787a2e4b041565b817de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b631253897a7de931edac54af76904fac25959c64ab787a2e4b041565b817de', SUITE, sys.argv[1:]))

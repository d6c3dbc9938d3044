"""MatMul_Add alone: `python MatMul_Add_1d56e50fa522.py [--threads N] [--json]`.

Benchmark 1d56e50fa5226a65caabddce8bb3cc5743c77ec4085a64b9c4daf5dc3fa8f769,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1d56e50fa5226a65caabddce8bb3cc5743c77ec4085a64b9c4daf5dc3fa8f769', SUITE, sys.argv[1:]))

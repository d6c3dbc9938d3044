"""MatMul alone: `python MatMul_eedaab2e6ee8.py [--threads N] [--json]`.

Benchmark eedaab2e6ee840f1dbfa53d0f8e22e4de47a7e4d06ff2dc8e44f229d0f66c928,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eedaab2e6ee840f1dbfa53d0f8e22e4de47a7e4d06ff2dc8e44f229d0f66c928', SUITE, sys.argv[1:]))

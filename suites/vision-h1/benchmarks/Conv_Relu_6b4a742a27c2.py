"""Conv_Relu alone: `python Conv_Relu_6b4a742a27c2.py [--threads N] [--json]`.

Benchmark 6b4a742a27c26a2a9bb8e0233ed2481f86a64b8d1b6ee939c46282719d7b8198,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b4a742a27c26a2a9bb8e0233ed2481f86a64b8d1b6ee939c46282719d7b8198', SUITE, sys.argv[1:]))

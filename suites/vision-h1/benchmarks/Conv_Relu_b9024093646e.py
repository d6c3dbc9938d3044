"""Conv_Relu alone: `python Conv_Relu_b9024093646e.py [--threads N] [--json]`.

Benchmark b9024093646e17e12423248158e5314f807fcd4d831a89a94442fb56ac70fdf7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b9024093646e17e12423248158e5314f807fcd4d831a89a94442fb56ac70fdf7', SUITE, sys.argv[1:]))

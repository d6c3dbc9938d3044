"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_872673cb20e3.py [--threads N] [--json]`.

Benchmark 872673cb20e37830867d7fcf55dca8ca1ebb5e0181e7f22238653dc32df61d05,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('872673cb20e37830867d7fcf55dca8ca1ebb5e0181e7f22238653dc32df61d05', SUITE, sys.argv[1:]))

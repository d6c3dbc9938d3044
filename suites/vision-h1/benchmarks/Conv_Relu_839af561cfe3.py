"""Conv_Relu alone: `python Conv_Relu_839af561cfe3.py [--threads N] [--json]`.

Benchmark 839af561cfe31ad4892bf279e5e0130ca94a23ab277efa7ae9c39efe42c6b1c7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('839af561cfe31ad4892bf279e5e0130ca94a23ab277efa7ae9c39efe42c6b1c7', SUITE, sys.argv[1:]))

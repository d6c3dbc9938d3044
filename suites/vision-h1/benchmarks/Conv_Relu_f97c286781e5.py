"""Conv_Relu alone: `python Conv_Relu_f97c286781e5.py [--threads N] [--json]`.

Benchmark f97c286781e5faae75c82162d10de66c1ef9c09ade03da9955c2493bf66d2d5d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f97c286781e5faae75c82162d10de66c1ef9c09ade03da9955c2493bf66d2d5d', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_ccf2d4b6fb07.py [--threads N] [--json]`.

Benchmark ccf2d4b6fb07eb04fdf5c867115f41785d22526711f200fa2dccaaaf13cdad99,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ccf2d4b6fb07eb04fdf5c867115f41785d22526711f200fa2dccaaaf13cdad99', SUITE, sys.argv[1:]))

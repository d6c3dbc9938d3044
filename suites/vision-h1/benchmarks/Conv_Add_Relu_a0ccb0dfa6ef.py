"""Conv_Add_Relu alone: `python Conv_Add_Relu_a0ccb0dfa6ef.py [--threads N] [--json]`.

Benchmark a0ccb0dfa6ef6e167e6b5acfa6351c8d285caa2ad3978e1300cbcdf57cf92656,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a0ccb0dfa6ef6e167e6b5acfa6351c8d285caa2ad3978e1300cbcdf57cf92656', SUITE, sys.argv[1:]))

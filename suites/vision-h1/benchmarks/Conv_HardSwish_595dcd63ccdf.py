"""Conv_HardSwish alone: `python Conv_HardSwish_595dcd63ccdf.py [--threads N] [--json]`.

Benchmark 595dcd63ccdf5a7a3a19fd028571703c55d3d8c4f5155740900619f91985199d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('595dcd63ccdf5a7a3a19fd028571703c55d3d8c4f5155740900619f91985199d', SUITE, sys.argv[1:]))

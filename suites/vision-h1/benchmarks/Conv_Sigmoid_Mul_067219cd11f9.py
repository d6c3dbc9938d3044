"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_067219cd11f9.py [--threads N] [--json]`.

Benchmark 067219cd11f9eb360e9e773d6426a8cba856244cedb60f687d3efdf35f7e66b5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('067219cd11f9eb360e9e773d6426a8cba856244cedb60f687d3efdf35f7e66b5', SUITE, sys.argv[1:]))

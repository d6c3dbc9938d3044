"""Conv_Relu alone: `python Conv_Relu_0bd3c28d3b29.py [--threads N] [--json]`.

Benchmark 0bd3c28d3b290458502072316446446e844504be0093abe0e551672b32e91b17,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0bd3c28d3b290458502072316446446e844504be0093abe0e551672b32e91b17', SUITE, sys.argv[1:]))

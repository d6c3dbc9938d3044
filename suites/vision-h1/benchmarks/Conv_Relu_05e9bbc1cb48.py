"""Conv_Relu alone: `python Conv_Relu_05e9bbc1cb48.py [--threads N] [--json]`.

Benchmark 05e9bbc1cb48d9e66a5694f51bc670233d38fdf3ae542a2d55632f0b03b3f2c2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('05e9bbc1cb48d9e66a5694f51bc670233d38fdf3ae542a2d55632f0b03b3f2c2', SUITE, sys.argv[1:]))

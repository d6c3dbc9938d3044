"""Conv_Add_Relu alone: `python Conv_Add_Relu_abf624930fa3.py [--threads N] [--json]`.

Benchmark abf624930fa39018a334141781a71cc98a2c2c35b5ac405d7f92bf48d1923882,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abf624930fa39018a334141781a71cc98a2c2c35b5ac405d7f92bf48d1923882', SUITE, sys.argv[1:]))

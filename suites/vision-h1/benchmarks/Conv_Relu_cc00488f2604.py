"""Conv_Relu alone: `python Conv_Relu_cc00488f2604.py [--threads N] [--json]`.

Benchmark cc00488f2604f55960a060fa70794369d036d522da9e5f1b1cedb880cb855eff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc00488f2604f55960a060fa70794369d036d522da9e5f1b1cedb880cb855eff', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_0e230d3b9c26.py [--threads N] [--json]`.

Benchmark 0e230d3b9c269d7cc931d38cfa40bd5450f0c027c59d6a89c3d97e981cd93156,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0e230d3b9c269d7cc931d38cfa40bd5450f0c027c59d6a89c3d97e981cd93156', SUITE, sys.argv[1:]))

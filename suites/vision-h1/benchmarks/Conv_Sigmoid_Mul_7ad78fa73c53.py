"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_7ad78fa73c53.py [--threads N] [--json]`.

Benchmark 7ad78fa73c5325a835eb1f88c25ff0be2eb38d3cb2b1502de6c7e4db24a8f290,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7ad78fa73c5325a835eb1f88c25ff0be2eb38d3cb2b1502de6c7e4db24a8f290', SUITE, sys.argv[1:]))

"""Sigmoid_Mul alone: `python Sigmoid_Mul_13d21e61e753.py [--threads N] [--json]`.

Benchmark 13d21e61e7535d5d81bfa1ff7c6101954207ab062c1a7242e36a9abdd7026782,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('13d21e61e7535d5d81bfa1ff7c6101954207ab062c1a7242e36a9abdd7026782', SUITE, sys.argv[1:]))

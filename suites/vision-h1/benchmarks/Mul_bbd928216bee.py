"""Mul alone: `python Mul_bbd928216bee.py [--threads N] [--json]`.

Benchmark bbd928216bee8e4b1313817d15b486d1a85eb6f3299eed4b25ce7dea13b6825b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bbd928216bee8e4b1313817d15b486d1a85eb6f3299eed4b25ce7dea13b6825b', SUITE, sys.argv[1:]))

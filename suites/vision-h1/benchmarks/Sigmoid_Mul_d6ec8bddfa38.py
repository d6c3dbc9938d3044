"""Sigmoid_Mul alone: `python Sigmoid_Mul_d6ec8bddfa38.py [--threads N] [--json]`.

Benchmark d6ec8bddfa38fe07ea62a3ec9815ceaa397e1c1e2b6f6d0fad2cbc2926f17c5a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d6ec8bddfa38fe07ea62a3ec9815ceaa397e1c1e2b6f6d0fad2cbc2926f17c5a', SUITE, sys.argv[1:]))

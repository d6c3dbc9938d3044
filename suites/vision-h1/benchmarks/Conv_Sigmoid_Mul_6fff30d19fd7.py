"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_6fff30d19fd7.py [--threads N] [--json]`.

Benchmark 6fff30d19fd77c09020062f205f6d296655f42de0a98c4c148365aec5e174300,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6fff30d19fd77c09020062f205f6d296655f42de0a98c4c148365aec5e174300', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_e5184e5f6669.py [--threads N] [--json]`.

Benchmark e5184e5f66696efdb7243a49db7106b7b95f62c93ac35d08612dbf15dde7f796,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e5184e5f66696efdb7243a49db7106b7b95f62c93ac35d08612dbf15dde7f796', SUITE, sys.argv[1:]))

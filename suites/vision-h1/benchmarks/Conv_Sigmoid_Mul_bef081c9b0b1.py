"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_bef081c9b0b1.py [--threads N] [--json]`.

Benchmark bef081c9b0b16bce146bf463e44d784cd23058cbb9bf1fb8e84afa090cd6d3f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bef081c9b0b16bce146bf463e44d784cd23058cbb9bf1fb8e84afa090cd6d3f0', SUITE, sys.argv[1:]))

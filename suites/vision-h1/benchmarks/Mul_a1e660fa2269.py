"""Mul alone: `python Mul_a1e660fa2269.py [--threads N] [--json]`.

Benchmark a1e660fa226905226618a688150227a64334670225052e2b4001442b95cdc983,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a1e660fa226905226618a688150227a64334670225052e2b4001442b95cdc983', SUITE, sys.argv[1:]))

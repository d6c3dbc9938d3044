"""Transpose alone: `python Transpose_a6ee26de8780.py [--threads N] [--json]`.

Benchmark a6ee26de87801154748dcd02235b758a138ace115231ccf3c94e71dab3b87cbf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a6ee26de87801154748dcd02235b758a138ace115231ccf3c94e71dab3b87cbf', SUITE, sys.argv[1:]))

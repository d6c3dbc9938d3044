"""Gather alone: `python Gather_0b12d164d78d.py [--threads N] [--json]`.

Benchmark 0b12d164d78d38611f850c41ff386751240c5e045c8643c6722a9e34086427a7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0b12d164d78d38611f850c41ff386751240c5e045c8643c6722a9e34086427a7', SUITE, sys.argv[1:]))

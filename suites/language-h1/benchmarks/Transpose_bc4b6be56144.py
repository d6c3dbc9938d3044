"""Transpose alone: `python Transpose_bc4b6be56144.py [--threads N] [--json]`.

Benchmark bc4b6be5614462128d21ccd30d1cdcccdc7e3d7d562315922dc6086cbd24181c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc4b6be5614462128d21ccd30d1cdcccdc7e3d7d562315922dc6086cbd24181c', SUITE, sys.argv[1:]))

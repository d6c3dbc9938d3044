"""Transpose alone: `python Transpose_a77575d395bb.py [--threads N] [--json]`.

Benchmark a77575d395bb7324d64fca240d646782a706937b3d9c235e940e3d57b5564794,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a77575d395bb7324d64fca240d646782a706937b3d9c235e940e3d57b5564794', SUITE, sys.argv[1:]))

"""Softmax alone: `python Softmax_0229c0f168e0.py [--threads N] [--json]`.

Benchmark 0229c0f168e0573f2bd25201873d766eeaca339deb4d15d93b3d864efd686ee3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0229c0f168e0573f2bd25201873d766eeaca339deb4d15d93b3d864efd686ee3', SUITE, sys.argv[1:]))

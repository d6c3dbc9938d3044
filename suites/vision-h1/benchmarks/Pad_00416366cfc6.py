"""Pad alone: `python Pad_00416366cfc6.py [--threads N] [--json]`.

Benchmark 00416366cfc648c6d25b79869d85ca0240def157f7cf4a0c3d711daeb0508af9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('00416366cfc648c6d25b79869d85ca0240def157f7cf4a0c3d711daeb0508af9', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_41b8b4da53d9.py [--threads N] [--json]`.

Benchmark 41b8b4da53d9d4fd2d4b606a9122979bb311f491ec238ff3d4e920fb2bf254d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('41b8b4da53d9d4fd2d4b606a9122979bb311f491ec238ff3d4e920fb2bf254d1', SUITE, sys.argv[1:]))

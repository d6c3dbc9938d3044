"""Transpose alone: `python Transpose_3ac248971f34.py [--threads N] [--json]`.

Benchmark 3ac248971f34e44d0373011a3fe9587cf5e48825f7ff09cbebd48212720614ff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ac248971f34e44d0373011a3fe9587cf5e48825f7ff09cbebd48212720614ff', SUITE, sys.argv[1:]))

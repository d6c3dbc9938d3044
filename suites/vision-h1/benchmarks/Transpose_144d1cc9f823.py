"""Transpose alone: `python Transpose_144d1cc9f823.py [--threads N] [--json]`.

Benchmark 144d1cc9f8236961c4cfeddf995c1782e19e17eba61849bfdcf3ad49039d4467,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('144d1cc9f8236961c4cfeddf995c1782e19e17eba61849bfdcf3ad49039d4467', SUITE, sys.argv[1:]))

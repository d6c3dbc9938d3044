"""Transpose alone: `python Transpose_4d1b226f88ec.py [--threads N] [--json]`.

Benchmark 4d1b226f88ec41a828fc19ae8b0e913247c266574444b4ede6b084852c56ef9f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4d1b226f88ec41a828fc19ae8b0e913247c266574444b4ede6b084852c56ef9f', SUITE, sys.argv[1:]))

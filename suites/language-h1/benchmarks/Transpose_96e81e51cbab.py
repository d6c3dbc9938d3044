"""Transpose alone: `python Transpose_96e81e51cbab.py [--threads N] [--json]`.

Benchmark 96e81e51cbabc0142ff0967950f791d5676f14d77911a5409262c21aad615e01,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('96e81e51cbabc0142ff0967950f791d5676f14d77911a5409262c21aad615e01', SUITE, sys.argv[1:]))

"""Transpose_Concat alone: `python Transpose_Concat_e68681cd6fb5.py [--threads N] [--json]`.

Benchmark e68681cd6fb5987256e41756e9c2da8cc8d17ed21030ca09f8695a5c208b9c39,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e68681cd6fb5987256e41756e9c2da8cc8d17ed21030ca09f8695a5c208b9c39', SUITE, sys.argv[1:]))

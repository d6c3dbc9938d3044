"""Transpose alone: `python Transpose_445faf5e3de0.py [--threads N] [--json]`.

Benchmark 445faf5e3de0f5a4985367355c302888062f131d315a9396ef8d603e1ef122e0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('445faf5e3de0f5a4985367355c302888062f131d315a9396ef8d603e1ef122e0', SUITE, sys.argv[1:]))

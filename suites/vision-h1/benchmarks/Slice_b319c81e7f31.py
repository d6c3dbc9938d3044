"""Slice alone: `python Slice_b319c81e7f31.py [--threads N] [--json]`.

Benchmark b319c81e7f319b0632b4a09eeeda9064032605f2edd852ab6af4d72a5f86a10a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b319c81e7f319b0632b4a09eeeda9064032605f2edd852ab6af4d72a5f86a10a', SUITE, sys.argv[1:]))

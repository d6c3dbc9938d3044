"""Concat_MaxPool alone: `python Concat_MaxPool_ff2ad3ae0952.py [--threads N] [--json]`.

Benchmark ff2ad3ae0952812295493286ad2222860e907fb5fbab4e21f1162cf175f6a7f9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff2ad3ae0952812295493286ad2222860e907fb5fbab4e21f1162cf175f6a7f9', SUITE, sys.argv[1:]))

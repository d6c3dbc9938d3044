"""Transpose alone: `python Transpose_92a9f687ddb7.py [--threads N] [--json]`.

Benchmark 92a9f687ddb7254a83d83001d131e4451e822d297d3f9877a786407d43dd31b3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('92a9f687ddb7254a83d83001d131e4451e822d297d3f9877a786407d43dd31b3', SUITE, sys.argv[1:]))

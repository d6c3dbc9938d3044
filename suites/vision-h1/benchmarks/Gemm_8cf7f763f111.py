"""Gemm alone: `python Gemm_8cf7f763f111.py [--threads N] [--json]`.

Benchmark 8cf7f763f111fe96607fea52c4cf185131d5c7fff9e9999815e2cb5b976da410,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8cf7f763f111fe96607fea52c4cf185131d5c7fff9e9999815e2cb5b976da410', SUITE, sys.argv[1:]))

"""Gemm alone: `python Gemm_e2765b186e77.py [--threads N] [--json]`.

Benchmark e2765b186e7721db2a9b9b8761866ba1512e6ae8d9e18dd89045caa959b0d2a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2765b186e7721db2a9b9b8761866ba1512e6ae8d9e18dd89045caa959b0d2a9', SUITE, sys.argv[1:]))

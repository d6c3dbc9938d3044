"""MatMul alone: `python MatMul_43b8b1f0f993.py [--threads N] [--json]`.

Benchmark 43b8b1f0f993a118a9ffb60aab88f9f947c177e517c8937240d06977e3724048,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('43b8b1f0f993a118a9ffb60aab88f9f947c177e517c8937240d06977e3724048', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_c6d6658e2cbe.py [--threads N] [--json]`.

Benchmark c6d6658e2cbe8ec5625ba788f39265721d1247c44a50395b8e03e11b639d9d98,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c6d6658e2cbe8ec5625ba788f39265721d1247c44a50395b8e03e11b639d9d98', SUITE, sys.argv[1:]))

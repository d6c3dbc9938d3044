"""Relu alone: `python Relu_43b093f42827.py [--threads N] [--json]`.

Benchmark 43b093f4282766e4c11d61f8aaa6b54551546a3e4e9ef0e994e6c75d77d3b93b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('43b093f4282766e4c11d61f8aaa6b54551546a3e4e9ef0e994e6c75d77d3b93b', SUITE, sys.argv[1:]))

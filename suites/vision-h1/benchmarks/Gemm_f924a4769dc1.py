"""Gemm alone: `python Gemm_f924a4769dc1.py [--threads N] [--json]`.

Benchmark f924a4769dc152f9f1de6ea3361619175825c1d4851e614fba2a49e17fd55c1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f924a4769dc152f9f1de6ea3361619175825c1d4851e614fba2a49e17fd55c1f', SUITE, sys.argv[1:]))

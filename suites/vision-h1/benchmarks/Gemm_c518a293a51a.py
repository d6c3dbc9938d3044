"""Gemm alone: `python Gemm_c518a293a51a.py [--threads N] [--json]`.

Benchmark c518a293a51a602ec493e62727f50a54ef12c2482c72ca2716f86382b951bf3e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c518a293a51a602ec493e62727f50a54ef12c2482c72ca2716f86382b951bf3e', SUITE, sys.argv[1:]))

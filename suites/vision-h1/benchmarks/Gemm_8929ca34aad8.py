"""Gemm alone: `python Gemm_8929ca34aad8.py [--threads N] [--json]`.

Benchmark 8929ca34aad8ee6f32682cd75fde62794c555fa599606b93731e542089d83289,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8929ca34aad8ee6f32682cd75fde62794c555fa599606b93731e542089d83289', SUITE, sys.argv[1:]))

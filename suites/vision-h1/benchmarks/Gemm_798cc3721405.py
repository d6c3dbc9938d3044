"""Gemm alone: `python Gemm_798cc3721405.py [--threads N] [--json]`.

Benchmark 798cc37214052f8cc5b49eda136fbd3ca3b846d5e319e1e0ba9f42ed6d3ba22c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('798cc37214052f8cc5b49eda136fbd3ca3b846d5e319e1e0ba9f42ed6d3ba22c', SUITE, sys.argv[1:]))

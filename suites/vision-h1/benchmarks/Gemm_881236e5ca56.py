"""Gemm alone: `python Gemm_881236e5ca56.py [--threads N] [--json]`.

Benchmark 881236e5ca56e556a8869dc7d2062911968e9553ce76647723cfe540bfef2b92,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('881236e5ca56e556a8869dc7d2062911968e9553ce76647723cfe540bfef2b92', SUITE, sys.argv[1:]))

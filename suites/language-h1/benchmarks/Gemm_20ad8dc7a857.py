"""Gemm alone: `python Gemm_20ad8dc7a857.py [--threads N] [--json]`.

Benchmark 20ad8dc7a8570a7c8971cb421e6fffe27d2dc1298ae03ec4abce8834a5b28188,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('20ad8dc7a8570a7c8971cb421e6fffe27d2dc1298ae03ec4abce8834a5b28188', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_99d3568b6e14.py [--threads N] [--json]`.

Benchmark 99d3568b6e14873f40e02f96932929c7d23ca4b6f366eee50084cdc2afb2aead,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('99d3568b6e14873f40e02f96932929c7d23ca4b6f366eee50084cdc2afb2aead', SUITE, sys.argv[1:]))

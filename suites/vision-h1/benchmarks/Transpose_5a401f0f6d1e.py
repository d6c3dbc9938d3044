"""Transpose alone: `python Transpose_5a401f0f6d1e.py [--threads N] [--json]`.

Benchmark 5a401f0f6d1e2e8a79bd243fad9cae77ec7c3f5b0f0169dd730695324604d3e8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5a401f0f6d1e2e8a79bd243fad9cae77ec7c3f5b0f0169dd730695324604d3e8', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_b5c74d3a3fa5.py [--threads N] [--json]`.

Benchmark b5c74d3a3fa5d54b7d7c0cf959c8cfc660c5c145993dd1497cf3aae55f9d0ac6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5c74d3a3fa5d54b7d7c0cf959c8cfc660c5c145993dd1497cf3aae55f9d0ac6', SUITE, sys.argv[1:]))

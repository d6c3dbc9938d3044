"""Transpose alone: `python Transpose_373198e8f1a3.py [--threads N] [--json]`.

Benchmark 373198e8f1a38caf3312b565c0e34dcfb5d692c9cceb5979a07c6f069960bd22,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('373198e8f1a38caf3312b565c0e34dcfb5d692c9cceb5979a07c6f069960bd22', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_3057a82c7cee.py [--threads N] [--json]`.

Benchmark 3057a82c7cee05047c8e16eea98e30036351355846c6771f29a60bcfc3e09140,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3057a82c7cee05047c8e16eea98e30036351355846c6771f29a60bcfc3e09140', SUITE, sys.argv[1:]))

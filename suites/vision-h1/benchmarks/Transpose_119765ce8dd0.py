"""Transpose alone: `python Transpose_119765ce8dd0.py [--threads N] [--json]`.

Benchmark 119765ce8dd09f6751bfc849ae2a11adf69fb9749fcb97ae7c42ad4e28c38291,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('119765ce8dd09f6751bfc849ae2a11adf69fb9749fcb97ae7c42ad4e28c38291', SUITE, sys.argv[1:]))

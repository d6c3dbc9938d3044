"""Transpose alone: `python Transpose_dfdc7f5b11b4.py [--threads N] [--json]`.

Benchmark dfdc7f5b11b4a8d588aaea527c406abe13d5b404032c76583c4707ffe988988a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dfdc7f5b11b4a8d588aaea527c406abe13d5b404032c76583c4707ffe988988a', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_d0807dcbec16.py [--threads N] [--json]`.

Benchmark d0807dcbec16f93210268785cfe2b55330db6d0d53213db3496343850dda5879,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d0807dcbec16f93210268785cfe2b55330db6d0d53213db3496343850dda5879', SUITE, sys.argv[1:]))

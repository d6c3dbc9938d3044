"""Gather alone: `python Gather_ae7a39dbfc58.py [--threads N] [--json]`.

Benchmark ae7a39dbfc58d7fd844ab45cd3d342724e529e79c60eef82fe8ececa3057e6e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae7a39dbfc58d7fd844ab45cd3d342724e529e79c60eef82fe8ececa3057e6e6', SUITE, sys.argv[1:]))

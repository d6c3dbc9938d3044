"""Transpose alone: `python Transpose_9c5b9e0002af.py [--threads N] [--json]`.

Benchmark 9c5b9e0002af0b751cdadba3d14bb91e06fef380e95de5ead8f1b6a9237fea74,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c5b9e0002af0b751cdadba3d14bb91e06fef380e95de5ead8f1b6a9237fea74', SUITE, sys.argv[1:]))

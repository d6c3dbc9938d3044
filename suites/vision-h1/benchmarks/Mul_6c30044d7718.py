"""Mul alone: `python Mul_6c30044d7718.py [--threads N] [--json]`.

Benchmark 6c30044d7718404111f1cefd4f0c0100f7d242f989645c45707c99d8e92fc442,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c30044d7718404111f1cefd4f0c0100f7d242f989645c45707c99d8e92fc442', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_f583377f2c93.py [--threads N] [--json]`.

Benchmark f583377f2c931fc99362d9457cbce04585981d2765a7ec35e264c6fbf87c31c8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f583377f2c931fc99362d9457cbce04585981d2765a7ec35e264c6fbf87c31c8', SUITE, sys.argv[1:]))

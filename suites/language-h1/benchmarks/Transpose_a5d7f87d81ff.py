"""Transpose alone: `python Transpose_a5d7f87d81ff.py [--threads N] [--json]`.

Benchmark a5d7f87d81ffaed9d2e16828dc83857c48db040dfd4bc264157a90807022d840,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a5d7f87d81ffaed9d2e16828dc83857c48db040dfd4bc264157a90807022d840', SUITE, sys.argv[1:]))

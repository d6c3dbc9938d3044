"""Gemm alone: `python Gemm_b48e50033ba7.py [--threads N] [--json]`.

Benchmark b48e50033ba7f5b4ed150772685cdb6fae9f2262bb6b4dcff60248ef8b08e560,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b48e50033ba7f5b4ed150772685cdb6fae9f2262bb6b4dcff60248ef8b08e560', SUITE, sys.argv[1:]))

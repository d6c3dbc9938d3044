"""Softmax alone: `python Softmax_5cc0ef257dba.py [--threads N] [--json]`.

Benchmark 5cc0ef257dbab86671c603a28c023b6ae84851079f186e95b09d907d59135a8d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5cc0ef257dbab86671c603a28c023b6ae84851079f186e95b09d907d59135a8d', SUITE, sys.argv[1:]))

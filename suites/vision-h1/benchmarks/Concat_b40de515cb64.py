"""Concat alone: `python Concat_b40de515cb64.py [--threads N] [--json]`.

Benchmark b40de515cb641140b82b87f0bfe14f66118516739727d916b28d1b175f4e36fc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b40de515cb641140b82b87f0bfe14f66118516739727d916b28d1b175f4e36fc', SUITE, sys.argv[1:]))

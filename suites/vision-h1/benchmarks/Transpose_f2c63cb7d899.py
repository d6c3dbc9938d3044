"""Transpose alone: `python Transpose_f2c63cb7d899.py [--threads N] [--json]`.

Benchmark f2c63cb7d899454c0f2d7ddac461557ad0bd284d5b228a77942425628801d3fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f2c63cb7d899454c0f2d7ddac461557ad0bd284d5b228a77942425628801d3fa', SUITE, sys.argv[1:]))

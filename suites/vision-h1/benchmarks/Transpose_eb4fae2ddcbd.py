"""Transpose alone: `python Transpose_eb4fae2ddcbd.py [--threads N] [--json]`.

Benchmark eb4fae2ddcbdfdb8c64a83384b3019362a11f9cc345befd0ccacf109ec28c219,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eb4fae2ddcbdfdb8c64a83384b3019362a11f9cc345befd0ccacf109ec28c219', SUITE, sys.argv[1:]))

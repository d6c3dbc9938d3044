"""Mul alone: `python Mul_fec6b44e3e80.py [--threads N] [--json]`.

Benchmark fec6b44e3e80ca0594ff44bdb53945220fc4191c7fc920566cee259f036094d3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fec6b44e3e80ca0594ff44bdb53945220fc4191c7fc920566cee259f036094d3', SUITE, sys.argv[1:]))

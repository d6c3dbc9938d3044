"""Gather alone: `python Gather_f02d5403f8bc.py [--threads N] [--json]`.

Benchmark f02d5403f8bcd37bc303a910cf974ed71f66a6f489efd6cc2a5e75d937e13ede,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f02d5403f8bcd37bc303a910cf974ed71f66a6f489efd6cc2a5e75d937e13ede', SUITE, sys.argv[1:]))

"""Transpose_GatherND alone: `python Transpose_GatherND_171373851e55.py [--threads N] [--json]`.

Benchmark 171373851e55407cd3f6db8925daabe22f57909e0b43c934f7f39270af097bc9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('171373851e55407cd3f6db8925daabe22f57909e0b43c934f7f39270af097bc9', SUITE, sys.argv[1:]))

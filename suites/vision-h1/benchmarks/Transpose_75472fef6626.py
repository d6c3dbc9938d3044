"""Transpose alone: `python Transpose_75472fef6626.py [--threads N] [--json]`.

Benchmark 75472fef662676c39d7c2b602bc9f76c0038b1661875434c85e68d93ff8cd7ff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('75472fef662676c39d7c2b602bc9f76c0038b1661875434c85e68d93ff8cd7ff', SUITE, sys.argv[1:]))

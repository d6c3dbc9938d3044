"""Relu alone: `python Relu_579f6e27988a.py [--threads N] [--json]`.

Benchmark 579f6e27988aee975af41671bd7fdcf7b7c82ca6d32cd4874a111c6b00ec34c0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('579f6e27988aee975af41671bd7fdcf7b7c82ca6d32cd4874a111c6b00ec34c0', SUITE, sys.argv[1:]))

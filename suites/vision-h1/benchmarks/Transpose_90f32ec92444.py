"""Transpose alone: `python Transpose_90f32ec92444.py [--threads N] [--json]`.

Benchmark 90f32ec9244423458a5fc3af129850410124aeaa5a6bacf66239689e228619b3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('90f32ec9244423458a5fc3af129850410124aeaa5a6bacf66239689e228619b3', SUITE, sys.argv[1:]))

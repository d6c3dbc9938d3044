"""Transpose alone: `python Transpose_add56bb4b002.py [--threads N] [--json]`.

Benchmark add56bb4b002fe0adbb51a36cb99a97fe6faf662171b06f7418d3a44eb33ef46,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('add56bb4b002fe0adbb51a36cb99a97fe6faf662171b06f7418d3a44eb33ef46', SUITE, sys.argv[1:]))

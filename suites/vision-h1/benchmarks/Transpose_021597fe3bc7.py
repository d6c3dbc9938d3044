"""Transpose alone: `python Transpose_021597fe3bc7.py [--threads N] [--json]`.

Benchmark 021597fe3bc77184c7f9271478b8fd613552baae7e3e21f75ccc6e8a570a10d0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('021597fe3bc77184c7f9271478b8fd613552baae7e3e21f75ccc6e8a570a10d0', SUITE, sys.argv[1:]))

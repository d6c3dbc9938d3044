"""Resize alone: `python Resize_c8e4d0ae6001.py [--threads N] [--json]`.

Benchmark c8e4d0ae6001b1743505eb76aee437aa09ead5b0850659bb24561bc705cea721,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c8e4d0ae6001b1743505eb76aee437aa09ead5b0850659bb24561bc705cea721', SUITE, sys.argv[1:]))

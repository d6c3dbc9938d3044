"""Concat alone: `python Concat_bee140ef9384.py [--threads N] [--json]`.

Benchmark bee140ef9384d45c446c7985a522e63aa0d8b024e6083c051440cc5a8fc7aeff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bee140ef9384d45c446c7985a522e63aa0d8b024e6083c051440cc5a8fc7aeff', SUITE, sys.argv[1:]))

"""Mul alone: `python Mul_8d981771c1bf.py [--threads N] [--json]`.

Benchmark 8d981771c1bfa647732f461e30b3944ec0e9a833002703b8dc5c5780bf94cc36,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d981771c1bfa647732f461e30b3944ec0e9a833002703b8dc5c5780bf94cc36', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_38d515c28e7f.py [--threads N] [--json]`.

Benchmark 38d515c28e7f3883ab62b79258c53a689a5675a1a724c1286ec71c1aa3e30b45,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('38d515c28e7f3883ab62b79258c53a689a5675a1a724c1286ec71c1aa3e30b45', SUITE, sys.argv[1:]))

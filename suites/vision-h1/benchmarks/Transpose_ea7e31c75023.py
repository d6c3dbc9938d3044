"""Transpose alone: `python Transpose_ea7e31c75023.py [--threads N] [--json]`.

Benchmark ea7e31c750233020460afbd020e0d77cc2698a293ef08de5d1c7fd3d1f153647,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea7e31c750233020460afbd020e0d77cc2698a293ef08de5d1c7fd3d1f153647', SUITE, sys.argv[1:]))

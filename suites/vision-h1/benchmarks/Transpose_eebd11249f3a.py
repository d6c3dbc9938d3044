"""Transpose alone: `python Transpose_eebd11249f3a.py [--threads N] [--json]`.

Benchmark eebd11249f3ade1641100b3db32bd524fc3a080642645e98bdd0d1d150ab1ba4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eebd11249f3ade1641100b3db32bd524fc3a080642645e98bdd0d1d150ab1ba4', SUITE, sys.argv[1:]))

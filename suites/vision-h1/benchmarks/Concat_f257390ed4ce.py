"""Concat alone: `python Concat_f257390ed4ce.py [--threads N] [--json]`.

Benchmark f257390ed4ce321eef836c0999445fe8589b161b17f7080dc1abb65f02f0b4e0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f257390ed4ce321eef836c0999445fe8589b161b17f7080dc1abb65f02f0b4e0', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_d65c43428f65.py [--threads N] [--json]`.

Benchmark d65c43428f65faba49bdc585a3529c28bbf1049537bfe241fc292bc151720a97,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d65c43428f65faba49bdc585a3529c28bbf1049537bfe241fc292bc151720a97', SUITE, sys.argv[1:]))

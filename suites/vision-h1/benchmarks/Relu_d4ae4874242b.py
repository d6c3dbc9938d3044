"""Relu alone: `python Relu_d4ae4874242b.py [--threads N] [--json]`.

Benchmark d4ae4874242b4b609e2f45fc240f85413654fc4e697c2e4fa63cca4d5085dff7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d4ae4874242b4b609e2f45fc240f85413654fc4e697c2e4fa63cca4d5085dff7', SUITE, sys.argv[1:]))

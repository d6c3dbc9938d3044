"""Relu alone: `python Relu_d6211d75ecd8.py [--threads N] [--json]`.

Benchmark d6211d75ecd84d683401717273b1cd6541875e6afdab4949474d8c3ad161103d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d6211d75ecd84d683401717273b1cd6541875e6afdab4949474d8c3ad161103d', SUITE, sys.argv[1:]))

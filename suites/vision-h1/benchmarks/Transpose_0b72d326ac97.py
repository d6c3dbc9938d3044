"""Transpose alone: `python Transpose_0b72d326ac97.py [--threads N] [--json]`.

Benchmark 0b72d326ac9799edd79c21ee7c4d9018e57d2b0814efb76a11fb0506ed719765,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0b72d326ac9799edd79c21ee7c4d9018e57d2b0814efb76a11fb0506ed719765', SUITE, sys.argv[1:]))

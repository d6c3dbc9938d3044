"""Sigmoid_Mul alone: `python Sigmoid_Mul_d8db78179a1c.py [--threads N] [--json]`.

Benchmark d8db78179a1c29bbe0b385aff9892847f5291a805a9532f97253aed24ebafd2e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d8db78179a1c29bbe0b385aff9892847f5291a805a9532f97253aed24ebafd2e', SUITE, sys.argv[1:]))

"""Mul alone: `python Mul_dab3748b2d11.py [--threads N] [--json]`.

Benchmark dab3748b2d117123e2f6b0335d165dcb45c9bc69fa5720904476b1d4e5d92ebd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dab3748b2d117123e2f6b0335d165dcb45c9bc69fa5720904476b1d4e5d92ebd', SUITE, sys.argv[1:]))

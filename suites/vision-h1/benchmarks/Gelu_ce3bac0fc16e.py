"""Gelu alone: `python Gelu_ce3bac0fc16e.py [--threads N] [--json]`.

Benchmark ce3bac0fc16e4a9515d2d39d0cfb8c0e46a408d22671980f25ba4a553b0e53e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce3bac0fc16e4a9515d2d39d0cfb8c0e46a408d22671980f25ba4a553b0e53e4', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_69b05a90eaad.py [--threads N] [--json]`.

Benchmark 69b05a90eaad5a6c6ed3f2804d18c9d521c88de9e1ac7005f75353999ed1a757,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('69b05a90eaad5a6c6ed3f2804d18c9d521c88de9e1ac7005f75353999ed1a757', SUITE, sys.argv[1:]))

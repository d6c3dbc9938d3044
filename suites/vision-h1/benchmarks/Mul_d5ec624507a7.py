"""Mul alone: `python Mul_d5ec624507a7.py [--threads N] [--json]`.

Benchmark d5ec624507a79f134350b642f207826895d74fced51061998e50c5a7800ba2bd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5ec624507a79f134350b642f207826895d74fced51061998e50c5a7800ba2bd', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_eb21fe24b0b3.py [--threads N] [--json]`.

Benchmark eb21fe24b0b3cd65f2aec7bf6b92e3eb8a7d9a8d5f83d61fe83064def51cb1fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eb21fe24b0b3cd65f2aec7bf6b92e3eb8a7d9a8d5f83d61fe83064def51cb1fe', SUITE, sys.argv[1:]))

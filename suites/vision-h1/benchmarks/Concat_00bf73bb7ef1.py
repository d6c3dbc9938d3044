"""Concat alone: `python Concat_00bf73bb7ef1.py [--threads N] [--json]`.

Benchmark 00bf73bb7ef19ded6c50c33d5a91c443168ca48d05c84bf5cb37d4b116d54898,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('00bf73bb7ef19ded6c50c33d5a91c443168ca48d05c84bf5cb37d4b116d54898', SUITE, sys.argv[1:]))

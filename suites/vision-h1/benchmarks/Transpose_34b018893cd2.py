"""Transpose alone: `python Transpose_34b018893cd2.py [--threads N] [--json]`.

Benchmark 34b018893cd2cccadea9924b7b55a7e93252003cc22ecb13b934a1e8a76e5de1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('34b018893cd2cccadea9924b7b55a7e93252003cc22ecb13b934a1e8a76e5de1', SUITE, sys.argv[1:]))

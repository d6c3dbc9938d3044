"""MatMul_Add alone: `python MatMul_Add_7a0cd11adcf6.py [--threads N] [--json]`.

Benchmark 7a0cd11adcf676928bc009c9a15ef37d016e7729265395270b15936df93bcf6c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7a0cd11adcf676928bc009c9a15ef37d016e7729265395270b15936df93bcf6c', SUITE, sys.argv[1:]))

"""Gemm alone: `python Gemm_0ae641a3da15.py [--threads N] [--json]`.

Benchmark 0ae641a3da158f68ece107b538081b42a51f57c5c8232a6b4b3867a473bb42d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0ae641a3da158f68ece107b538081b42a51f57c5c8232a6b4b3867a473bb42d1', SUITE, sys.argv[1:]))

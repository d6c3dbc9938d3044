"""Gemm alone: `python Gemm_1b93a825df33.py [--threads N] [--json]`.

Benchmark 1b93a825df33c51b365ad4c8cbb0cfd5c3a19c8714e97bed1615277481a16f08,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1b93a825df33c51b365ad4c8cbb0cfd5c3a19c8714e97bed1615277481a16f08', SUITE, sys.argv[1:]))

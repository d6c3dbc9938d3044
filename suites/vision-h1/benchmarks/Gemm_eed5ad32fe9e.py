"""Gemm alone: `python Gemm_eed5ad32fe9e.py [--threads N] [--json]`.

Benchmark eed5ad32fe9e4f5b063b3d5ddd8e8877149944c5ecb8b22d501cb8f0c6a1a6b1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eed5ad32fe9e4f5b063b3d5ddd8e8877149944c5ecb8b22d501cb8f0c6a1a6b1', SUITE, sys.argv[1:]))

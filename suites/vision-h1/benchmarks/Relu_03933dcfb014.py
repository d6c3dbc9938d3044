"""Relu alone: `python Relu_03933dcfb014.py [--threads N] [--json]`.

Benchmark 03933dcfb014aba403b4b7cf93a91343aab8fa71984b68550a68b06053fc7984,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03933dcfb014aba403b4b7cf93a91343aab8fa71984b68550a68b06053fc7984', SUITE, sys.argv[1:]))

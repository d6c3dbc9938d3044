"""Concat alone: `python Concat_1cef89cbe6e2.py [--threads N] [--json]`.

Benchmark 1cef89cbe6e29e059629426468435cb05c7cb36a0b88e540ee8601f78c928e26,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1cef89cbe6e29e059629426468435cb05c7cb36a0b88e540ee8601f78c928e26', SUITE, sys.argv[1:]))

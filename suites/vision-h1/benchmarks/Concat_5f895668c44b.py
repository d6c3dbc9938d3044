"""Concat alone: `python Concat_5f895668c44b.py [--threads N] [--json]`.

Benchmark 5f895668c44b0beaf63a64fced422752c501b2bafe1450193e1a98c5ad7d497c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5f895668c44b0beaf63a64fced422752c501b2bafe1450193e1a98c5ad7d497c', SUITE, sys.argv[1:]))

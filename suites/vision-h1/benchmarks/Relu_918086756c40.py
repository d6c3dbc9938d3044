"""Relu alone: `python Relu_918086756c40.py [--threads N] [--json]`.

Benchmark 918086756c40d8a5c9215ee6cace4660e28e5a7d90942e27d1ef9114439af52b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('918086756c40d8a5c9215ee6cace4660e28e5a7d90942e27d1ef9114439af52b', SUITE, sys.argv[1:]))

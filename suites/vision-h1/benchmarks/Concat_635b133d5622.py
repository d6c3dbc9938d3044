"""Concat alone: `python Concat_635b133d5622.py [--threads N] [--json]`.

Benchmark 635b133d562299382200c38c4275189f37e6fb70d97ad066b4f2163f9f4a471c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('635b133d562299382200c38c4275189f37e6fb70d97ad066b4f2163f9f4a471c', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_3f416fa04676.py [--threads N] [--json]`.

Benchmark 3f416fa04676261b55869567945e8727d5eaf0e6903c74295548197edba1b8f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3f416fa04676261b55869567945e8727d5eaf0e6903c74295548197edba1b8f2', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_4d75532c9d73.py [--threads N] [--json]`.

Benchmark 4d75532c9d730be2d70da1cf0d9dd5764ef7669e6925e554c02f5c4fea90a28e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4d75532c9d730be2d70da1cf0d9dd5764ef7669e6925e554c02f5c4fea90a28e', SUITE, sys.argv[1:]))

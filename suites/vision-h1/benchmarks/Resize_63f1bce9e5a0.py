"""Resize alone: `python Resize_63f1bce9e5a0.py [--threads N] [--json]`.

Benchmark 63f1bce9e5a092aa825aabf55849bceea17a5824092e73fd6b8bfabcec308aea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('63f1bce9e5a092aa825aabf55849bceea17a5824092e73fd6b8bfabcec308aea', SUITE, sys.argv[1:]))

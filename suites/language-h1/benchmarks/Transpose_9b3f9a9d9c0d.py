"""Transpose alone: `python Transpose_9b3f9a9d9c0d.py [--threads N] [--json]`.

Benchmark 9b3f9a9d9c0dc974f4cb999f529d24d60775b048dba06ef1ca26fbaf9dba0b7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b3f9a9d9c0dc974f4cb999f529d24d60775b048dba06ef1ca26fbaf9dba0b7a', SUITE, sys.argv[1:]))

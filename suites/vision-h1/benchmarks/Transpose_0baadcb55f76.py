"""Transpose alone: `python Transpose_0baadcb55f76.py [--threads N] [--json]`.

Benchmark 0baadcb55f7625ff1ec7e1034f04679056a8f5697465ebec3ce5af6473c4801b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0baadcb55f7625ff1ec7e1034f04679056a8f5697465ebec3ce5af6473c4801b', SUITE, sys.argv[1:]))

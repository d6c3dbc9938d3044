"""Transpose alone: `python Transpose_344869045c5f.py [--threads N] [--json]`.

Benchmark 344869045c5faca7d098e2b9245d1143f9e906a6049e662ea9634c58a31f50b7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('344869045c5faca7d098e2b9245d1143f9e906a6049e662ea9634c58a31f50b7', SUITE, sys.argv[1:]))

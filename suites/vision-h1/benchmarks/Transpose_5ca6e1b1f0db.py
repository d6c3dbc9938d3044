"""Transpose alone: `python Transpose_5ca6e1b1f0db.py [--threads N] [--json]`.

Benchmark 5ca6e1b1f0db74a18520d056766e89f74630ad5116ddebf98f5bd91a5a8670a8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5ca6e1b1f0db74a18520d056766e89f74630ad5116ddebf98f5bd91a5a8670a8', SUITE, sys.argv[1:]))

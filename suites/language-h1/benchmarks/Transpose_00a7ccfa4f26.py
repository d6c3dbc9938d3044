"""Transpose alone: `python Transpose_00a7ccfa4f26.py [--threads N] [--json]`.

Benchmark 00a7ccfa4f2693f55eea59a2a307921dcbf9d8800e4c1603e327c5b65347bd5e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('00a7ccfa4f2693f55eea59a2a307921dcbf9d8800e4c1603e327c5b65347bd5e', SUITE, sys.argv[1:]))

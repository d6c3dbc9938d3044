"""Transpose alone: `python Transpose_3c9f38984809.py [--threads N] [--json]`.

Benchmark 3c9f389848092c8b2695d9ab788f80233722d945b54003895870ca51921dbfc9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3c9f389848092c8b2695d9ab788f80233722d945b54003895870ca51921dbfc9', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_11842c58a492.py [--threads N] [--json]`.

Benchmark 11842c58a4921da1107deecc0e875ba970cc6e7f5502581d4fb1ea7e90fc1920,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11842c58a4921da1107deecc0e875ba970cc6e7f5502581d4fb1ea7e90fc1920', SUITE, sys.argv[1:]))

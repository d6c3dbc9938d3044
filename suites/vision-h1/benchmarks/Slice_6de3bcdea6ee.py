"""Slice alone: `python Slice_6de3bcdea6ee.py [--threads N] [--json]`.

Benchmark 6de3bcdea6ee8a07e03d9b412c517b9190fc0a3cd447435483fcd094e01024dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6de3bcdea6ee8a07e03d9b412c517b9190fc0a3cd447435483fcd094e01024dc', SUITE, sys.argv[1:]))

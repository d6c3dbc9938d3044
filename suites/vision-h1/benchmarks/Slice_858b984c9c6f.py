"""Slice alone: `python Slice_858b984c9c6f.py [--threads N] [--json]`.

Benchmark 858b984c9c6f8655160da46f3be27b92c311b4576b01057797ed413cffb49c5d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('858b984c9c6f8655160da46f3be27b92c311b4576b01057797ed413cffb49c5d', SUITE, sys.argv[1:]))

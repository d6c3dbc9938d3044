"""Slice alone: `python Slice_562e6da01671.py [--threads N] [--json]`.

Benchmark 562e6da016711b1170404f49d48402d734fd8949e7327d662fc6340da83fcf84,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('562e6da016711b1170404f49d48402d734fd8949e7327d662fc6340da83fcf84', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_282a7149d3aa.py [--threads N] [--json]`.

Benchmark 282a7149d3aa74ad2487d9f72c0c2f4a17956aa05492b56d8f0e5b0c3f99459b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('282a7149d3aa74ad2487d9f72c0c2f4a17956aa05492b56d8f0e5b0c3f99459b', SUITE, sys.argv[1:]))

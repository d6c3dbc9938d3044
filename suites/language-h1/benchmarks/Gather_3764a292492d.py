"""Gather alone: `python Gather_3764a292492d.py [--threads N] [--json]`.

Benchmark 3764a292492df81c3a2dc9c2aa073c7115e6062a16a9c2da8ea4879c279cf0ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3764a292492df81c3a2dc9c2aa073c7115e6062a16a9c2da8ea4879c279cf0ed', SUITE, sys.argv[1:]))

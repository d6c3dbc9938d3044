"""Gather alone: `python Gather_28a77cd0e400.py [--threads N] [--json]`.

Benchmark 28a77cd0e4003731731bf00f0120e70641812d5df4c2055c5ae37bec9b50c8ee,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('28a77cd0e4003731731bf00f0120e70641812d5df4c2055c5ae37bec9b50c8ee', SUITE, sys.argv[1:]))

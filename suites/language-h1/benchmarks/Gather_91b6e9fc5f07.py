"""Gather alone: `python Gather_91b6e9fc5f07.py [--threads N] [--json]`.

Benchmark 91b6e9fc5f07d043d23e23714f2800cfc8caa5326e88cd15c90b6ee1362d0d17,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('91b6e9fc5f07d043d23e23714f2800cfc8caa5326e88cd15c90b6ee1362d0d17', SUITE, sys.argv[1:]))

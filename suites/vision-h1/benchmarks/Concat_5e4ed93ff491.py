"""Concat alone: `python Concat_5e4ed93ff491.py [--threads N] [--json]`.

Benchmark 5e4ed93ff4915fe73102a26a0d1e01a61b26a2afd932939a9b6df84c375ec358,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5e4ed93ff4915fe73102a26a0d1e01a61b26a2afd932939a9b6df84c375ec358', SUITE, sys.argv[1:]))

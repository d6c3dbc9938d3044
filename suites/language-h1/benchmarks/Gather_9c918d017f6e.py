"""Gather alone: `python Gather_9c918d017f6e.py [--threads N] [--json]`.

Benchmark 9c918d017f6e529d50792ba6109beeec9686333159e4066eb059f494e80694cb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c918d017f6e529d50792ba6109beeec9686333159e4066eb059f494e80694cb', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_9666fc3759f7.py [--threads N] [--json]`.

Benchmark 9666fc3759f73ef550329884ce3eeabfbc4dab2a17c3f8b9dcd07edd7ecbcf5f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9666fc3759f73ef550329884ce3eeabfbc4dab2a17c3f8b9dcd07edd7ecbcf5f', SUITE, sys.argv[1:]))

"""Resize alone: `python Resize_ca45a821a0e5.py [--threads N] [--json]`.

Benchmark ca45a821a0e57b3cc5abb02e6e580eef3ef364a86dec11580452371efc53da8b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca45a821a0e57b3cc5abb02e6e580eef3ef364a86dec11580452371efc53da8b', SUITE, sys.argv[1:]))

"""Resize alone: `python Resize_2d6abc027d01.py [--threads N] [--json]`.

Benchmark 2d6abc027d0195bd6fc1c7368920c2f51542e92f59b79ade29251aff84e1e01b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2d6abc027d0195bd6fc1c7368920c2f51542e92f59b79ade29251aff84e1e01b', SUITE, sys.argv[1:]))

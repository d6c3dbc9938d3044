"""Mul alone: `python Mul_4b1df26d1e5d.py [--threads N] [--json]`.

Benchmark 4b1df26d1e5d4174f7c3eb053dd4e5bb99b9c632816f37b99504f9a8f638c751,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4b1df26d1e5d4174f7c3eb053dd4e5bb99b9c632816f37b99504f9a8f638c751', SUITE, sys.argv[1:]))

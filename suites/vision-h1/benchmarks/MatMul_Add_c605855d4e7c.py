"""MatMul_Add alone: `python MatMul_Add_c605855d4e7c.py [--threads N] [--json]`.

Benchmark c605855d4e7ccfb2a36202e6ddcb2218fb6c38fd42c8e2bf49db86bc09778949,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c605855d4e7ccfb2a36202e6ddcb2218fb6c38fd42c8e2bf49db86bc09778949', SUITE, sys.argv[1:]))

"""Gemm alone: `python Gemm_0cec2240f356.py [--threads N] [--json]`.

Benchmark 0cec2240f356d7d6703c29d1e9d04a6f7e5da6f279bf6a635c61790e7535c325,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0cec2240f356d7d6703c29d1e9d04a6f7e5da6f279bf6a635c61790e7535c325', SUITE, sys.argv[1:]))

"""Mul alone: `python Mul_ad12248c3504.py [--threads N] [--json]`.

Benchmark ad12248c3504088ee5b123e3844096bc11c6d0a75199af681fadd8c29ec5a7e0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad12248c3504088ee5b123e3844096bc11c6d0a75199af681fadd8c29ec5a7e0', SUITE, sys.argv[1:]))

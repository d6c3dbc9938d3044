"""Mul alone: `python Mul_1d4aa7a777bd.py [--threads N] [--json]`.

Benchmark 1d4aa7a777bdfc80f61f03aec142cdc005f2a9a8ee64787749dfc24a6bfa81d7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1d4aa7a777bdfc80f61f03aec142cdc005f2a9a8ee64787749dfc24a6bfa81d7', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_f29afb53aa82.py [--threads N] [--json]`.

Benchmark f29afb53aa8278fa14e289f105815634dafa48b5d10d7327c5fee6a22b9a46c2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f29afb53aa8278fa14e289f105815634dafa48b5d10d7327c5fee6a22b9a46c2', SUITE, sys.argv[1:]))

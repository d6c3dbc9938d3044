"""Conv alone: `python Conv_ab150132e121.py [--threads N] [--json]`.

Benchmark ab150132e1219854882b9364c823974f40e4bfdcc1d0d94dac22d52ba5ab1093,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ab150132e1219854882b9364c823974f40e4bfdcc1d0d94dac22d52ba5ab1093', SUITE, sys.argv[1:]))

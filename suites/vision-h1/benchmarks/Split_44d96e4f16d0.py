"""Split alone: `python Split_44d96e4f16d0.py [--threads N] [--json]`.

Benchmark 44d96e4f16d0988091be1de1825026afbbfc6f232870beecbf19ea78b583875f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('44d96e4f16d0988091be1de1825026afbbfc6f232870beecbf19ea78b583875f', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_c8492ee9de28.py [--threads N] [--json]`.

Benchmark c8492ee9de287cf442a1d31617f256b7224f8a906c8e5c88391b250bd0e10271,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c8492ee9de287cf442a1d31617f256b7224f8a906c8e5c88391b250bd0e10271', SUITE, sys.argv[1:]))

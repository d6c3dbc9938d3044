"""Conv_Relu alone: `python Conv_Relu_756b08db8be8.py [--threads N] [--json]`.

Benchmark 756b08db8be8a09d0765f60a955191ef7488647833a7a417c37f9594a95c2964,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('756b08db8be8a09d0765f60a955191ef7488647833a7a417c37f9594a95c2964', SUITE, sys.argv[1:]))

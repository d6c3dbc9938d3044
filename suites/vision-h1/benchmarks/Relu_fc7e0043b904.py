"""Relu alone: `python Relu_fc7e0043b904.py [--threads N] [--json]`.

Benchmark fc7e0043b9045aef56a0d00fc1f87327428b3936c15fd8ed1f0963e379999870,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fc7e0043b9045aef56a0d00fc1f87327428b3936c15fd8ed1f0963e379999870', SUITE, sys.argv[1:]))

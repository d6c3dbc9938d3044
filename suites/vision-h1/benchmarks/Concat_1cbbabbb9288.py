"""Concat alone: `python Concat_1cbbabbb9288.py [--threads N] [--json]`.

Benchmark 1cbbabbb928874969f5711a42c292c71a175a3c202fffc81c2e9eb21ad58b744,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1cbbabbb928874969f5711a42c292c71a175a3c202fffc81c2e9eb21ad58b744', SUITE, sys.argv[1:]))

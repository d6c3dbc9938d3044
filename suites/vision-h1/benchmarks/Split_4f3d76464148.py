"""Split alone: `python Split_4f3d76464148.py [--threads N] [--json]`.

Benchmark 4f3d764641489525e7c77c93c6323caaaf994adcbe05a8f074390eb62f965b90,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4f3d764641489525e7c77c93c6323caaaf994adcbe05a8f074390eb62f965b90', SUITE, sys.argv[1:]))

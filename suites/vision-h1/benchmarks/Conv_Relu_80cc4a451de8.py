"""Conv_Relu alone: `python Conv_Relu_80cc4a451de8.py [--threads N] [--json]`.

Benchmark 80cc4a451de880d0a7a8fd94e12633f303ba87b03ec75fd2e16e31ae32e8205f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('80cc4a451de880d0a7a8fd94e12633f303ba87b03ec75fd2e16e31ae32e8205f', SUITE, sys.argv[1:]))

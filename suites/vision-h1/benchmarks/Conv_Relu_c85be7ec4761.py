"""Conv_Relu alone: `python Conv_Relu_c85be7ec4761.py [--threads N] [--json]`.

Benchmark c85be7ec4761c5c3d081bb791e8346a44fab67c0193e1bcd485de57714cc55c2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c85be7ec4761c5c3d081bb791e8346a44fab67c0193e1bcd485de57714cc55c2', SUITE, sys.argv[1:]))

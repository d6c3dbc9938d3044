"""Conv_Relu alone: `python Conv_Relu_1c4d9f17b1f2.py [--threads N] [--json]`.

Benchmark 1c4d9f17b1f2266a50a4dfd724321af952e5c60084d4dfd164ffb0010f08a7f5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1c4d9f17b1f2266a50a4dfd724321af952e5c60084d4dfd164ffb0010f08a7f5', SUITE, sys.argv[1:]))

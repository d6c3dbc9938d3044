"""Conv_Relu alone: `python Conv_Relu_5d2275f251dc.py [--threads N] [--json]`.

Benchmark 5d2275f251dc06d3e1360ebc5dc5e1af094a41069f6b64f9acfc9f11c897ce2c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d2275f251dc06d3e1360ebc5dc5e1af094a41069f6b64f9acfc9f11c897ce2c', SUITE, sys.argv[1:]))

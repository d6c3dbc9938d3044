"""Conv_Relu alone: `python Conv_Relu_67250983843a.py [--threads N] [--json]`.

Benchmark 67250983843adb3c3b7c2410bfb52c70f9213e5cc5720066433f4ee41897fad0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('67250983843adb3c3b7c2410bfb52c70f9213e5cc5720066433f4ee41897fad0', SUITE, sys.argv[1:]))

"""Conv_Relu_MaxPool alone: `python Conv_Relu_MaxPool_320aec97f461.py [--threads N] [--json]`.

Benchmark 320aec97f46176199f35646618f34997672054264caaee2f00256a9a39adb91c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('320aec97f46176199f35646618f34997672054264caaee2f00256a9a39adb91c', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_63c5affe3ff6.py [--threads N] [--json]`.

Benchmark 63c5affe3ff62ba0e02e759212b56e9c454dc9039e98c7fa4030cfe0adb83715,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('63c5affe3ff62ba0e02e759212b56e9c454dc9039e98c7fa4030cfe0adb83715', SUITE, sys.argv[1:]))

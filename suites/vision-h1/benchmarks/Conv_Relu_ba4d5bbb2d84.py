"""Conv_Relu alone: `python Conv_Relu_ba4d5bbb2d84.py [--threads N] [--json]`.

Benchmark ba4d5bbb2d84051ee256dd425a82c91ae1866085617eff024ef8b488615ebfb4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ba4d5bbb2d84051ee256dd425a82c91ae1866085617eff024ef8b488615ebfb4', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_290e3b559199.py [--threads N] [--json]`.

Benchmark 290e3b559199c15e9403b3d6ca08fdbac3a570bf9a615d04319b5c88e70c7044,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('290e3b559199c15e9403b3d6ca08fdbac3a570bf9a615d04319b5c88e70c7044', SUITE, sys.argv[1:]))

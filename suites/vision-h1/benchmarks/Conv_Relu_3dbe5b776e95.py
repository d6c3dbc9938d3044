"""Conv_Relu alone: `python Conv_Relu_3dbe5b776e95.py [--threads N] [--json]`.

Benchmark 3dbe5b776e95644d507f2ae774c634a66986d50101722fcbd1d84ddc7ef8778d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3dbe5b776e95644d507f2ae774c634a66986d50101722fcbd1d84ddc7ef8778d', SUITE, sys.argv[1:]))

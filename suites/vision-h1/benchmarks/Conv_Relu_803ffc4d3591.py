"""Conv_Relu alone: `python Conv_Relu_803ffc4d3591.py [--threads N] [--json]`.

Benchmark 803ffc4d3591da2cbc838b41a6b6c3f3219a3486b97b17cb97541b23ab83f186,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('803ffc4d3591da2cbc838b41a6b6c3f3219a3486b97b17cb97541b23ab83f186', SUITE, sys.argv[1:]))

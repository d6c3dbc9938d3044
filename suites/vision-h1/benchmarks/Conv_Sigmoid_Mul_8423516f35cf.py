"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_8423516f35cf.py [--threads N] [--json]`.

Benchmark 8423516f35cf5ce2412ac8b04bb46a5c9b1994f985a589b9af76db2c7cc6a978,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8423516f35cf5ce2412ac8b04bb46a5c9b1994f985a589b9af76db2c7cc6a978', SUITE, sys.argv[1:]))

"""Conv_Add_Relu alone: `python Conv_Add_Relu_19c3fcbc6f42.py [--threads N] [--json]`.

Benchmark 19c3fcbc6f4230716568a233e5cb227ebb0a44df232633d70358e21b2e00b169,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19c3fcbc6f4230716568a233e5cb227ebb0a44df232633d70358e21b2e00b169', SUITE, sys.argv[1:]))

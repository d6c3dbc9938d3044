"""Conv_Relu alone: `python Conv_Relu_8eced7e58040.py [--threads N] [--json]`.

Benchmark 8eced7e58040cc54eebc0ed65b412c7a684b17f4a8040c23aed6d961421034ab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8eced7e58040cc54eebc0ed65b412c7a684b17f4a8040c23aed6d961421034ab', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_e85ce8d99256.py [--threads N] [--json]`.

Benchmark e85ce8d9925683ea0222f22529b874482fb3ad89c384da2f932885ba188a7913,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e85ce8d9925683ea0222f22529b874482fb3ad89c384da2f932885ba188a7913', SUITE, sys.argv[1:]))

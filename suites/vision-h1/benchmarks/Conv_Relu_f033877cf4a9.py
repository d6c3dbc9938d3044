"""Conv_Relu alone: `python Conv_Relu_f033877cf4a9.py [--threads N] [--json]`.

Benchmark f033877cf4a94be7b5a73797202e9136a4d02887f4f6d3a3a01d6edfd3a0f0f4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f033877cf4a94be7b5a73797202e9136a4d02887f4f6d3a3a01d6edfd3a0f0f4', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_840f9298f0e3.py [--threads N] [--json]`.

Benchmark 840f9298f0e34d2a88d2f6e76c53d74a9715431e5168f73d94ebd745a7a88c20,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('840f9298f0e34d2a88d2f6e76c53d74a9715431e5168f73d94ebd745a7a88c20', SUITE, sys.argv[1:]))

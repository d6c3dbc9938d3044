"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_6a5513066615.py [--threads N] [--json]`.

Benchmark 6a551306661597d736aa4627ff7b0a532b85ab7a9ee71e17808861bd407bff6e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6a551306661597d736aa4627ff7b0a532b85ab7a9ee71e17808861bd407bff6e', SUITE, sys.argv[1:]))

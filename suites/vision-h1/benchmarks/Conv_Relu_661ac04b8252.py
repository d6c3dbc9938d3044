"""Conv_Relu alone: `python Conv_Relu_661ac04b8252.py [--threads N] [--json]`.

Benchmark 661ac04b8252899ea13312f84474793a1625727555e2b829876aae0e36477d43,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('661ac04b8252899ea13312f84474793a1625727555e2b829876aae0e36477d43', SUITE, sys.argv[1:]))

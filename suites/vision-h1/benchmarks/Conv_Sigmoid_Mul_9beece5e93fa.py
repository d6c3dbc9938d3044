"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_9beece5e93fa.py [--threads N] [--json]`.

Benchmark 9beece5e93fac7dc3c985970c378c36c6a5533b9b18af545246242f6fd54b1ae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9beece5e93fac7dc3c985970c378c36c6a5533b9b18af545246242f6fd54b1ae', SUITE, sys.argv[1:]))

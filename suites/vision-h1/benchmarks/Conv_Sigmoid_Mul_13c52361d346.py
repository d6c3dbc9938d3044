"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_13c52361d346.py [--threads N] [--json]`.

Benchmark 13c52361d34627965244b0a25c6e5983729fb55bbbd0fadb7375abc9548b7ba4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('13c52361d34627965244b0a25c6e5983729fb55bbbd0fadb7375abc9548b7ba4', SUITE, sys.argv[1:]))

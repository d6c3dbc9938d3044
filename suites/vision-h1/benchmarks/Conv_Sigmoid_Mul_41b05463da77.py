"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_41b05463da77.py [--threads N] [--json]`.

Benchmark 41b05463da77165a51f6665b80464a9f8cfaf277dea6ac7ee181bb233d2e20ce,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('41b05463da77165a51f6665b80464a9f8cfaf277dea6ac7ee181bb233d2e20ce', SUITE, sys.argv[1:]))

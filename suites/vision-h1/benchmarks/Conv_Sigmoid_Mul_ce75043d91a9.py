"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_ce75043d91a9.py [--threads N] [--json]`.

Benchmark ce75043d91a990939169fe3b667ec7651de45b438bd25f5cd7d04e8b7449fea6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce75043d91a990939169fe3b667ec7651de45b438bd25f5cd7d04e8b7449fea6', SUITE, sys.argv[1:]))

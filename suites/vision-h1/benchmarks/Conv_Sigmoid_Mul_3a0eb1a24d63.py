"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_3a0eb1a24d63.py [--threads N] [--json]`.

Benchmark 3a0eb1a24d637f8d4d6d40ca280ea5ce30f49de25d1f37a3ca58949aa000ff36,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a0eb1a24d637f8d4d6d40ca280ea5ce30f49de25d1f37a3ca58949aa000ff36', SUITE, sys.argv[1:]))

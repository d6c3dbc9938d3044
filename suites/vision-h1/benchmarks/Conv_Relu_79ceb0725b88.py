"""Conv_Relu alone: `python Conv_Relu_79ceb0725b88.py [--threads N] [--json]`.

Benchmark 79ceb0725b88dbf301ad5cb48ce2b67d5b208875f15d418130eba0e28a0ea612,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('79ceb0725b88dbf301ad5cb48ce2b67d5b208875f15d418130eba0e28a0ea612', SUITE, sys.argv[1:]))

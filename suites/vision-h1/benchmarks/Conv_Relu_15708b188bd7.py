"""Conv_Relu alone: `python Conv_Relu_15708b188bd7.py [--threads N] [--json]`.

Benchmark 15708b188bd7fffaac01e0a474b574d0b1b90233d37756277869eacede9ba627,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('15708b188bd7fffaac01e0a474b574d0b1b90233d37756277869eacede9ba627', SUITE, sys.argv[1:]))

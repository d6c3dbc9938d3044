"""Conv_Add_Relu alone: `python Conv_Add_Relu_0941353e2e68.py [--threads N] [--json]`.

Benchmark 0941353e2e68386d5df558ea0dc8f73d601e1eb1f060fa65556dd3ca5fa0e637,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0941353e2e68386d5df558ea0dc8f73d601e1eb1f060fa65556dd3ca5fa0e637', SUITE, sys.argv[1:]))

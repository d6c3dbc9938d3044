"""Conv_Add_Relu alone: `python Conv_Add_Relu_9c980e1f6361.py [--threads N] [--json]`.

Benchmark 9c980e1f6361629e7fd76de8e5ba9d5c3b956f1113296c1e118e1628709259ab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c980e1f6361629e7fd76de8e5ba9d5c3b956f1113296c1e118e1628709259ab', SUITE, sys.argv[1:]))

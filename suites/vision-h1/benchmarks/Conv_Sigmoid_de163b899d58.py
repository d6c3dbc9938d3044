"""Conv_Sigmoid alone: `python Conv_Sigmoid_de163b899d58.py [--threads N] [--json]`.

Benchmark de163b899d58e0a09ac9899fb58576c36b583a4867c9cc3cf6fa70bffa04d202,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('de163b899d58e0a09ac9899fb58576c36b583a4867c9cc3cf6fa70bffa04d202', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_c58f1de7ba0d.py [--threads N] [--json]`.

Benchmark c58f1de7ba0d730635caacca3ed842d7072312594871deb2b87864d4c7b8fd7e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c58f1de7ba0d730635caacca3ed842d7072312594871deb2b87864d4c7b8fd7e', SUITE, sys.argv[1:]))

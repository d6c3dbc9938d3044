"""Conv_Relu alone: `python Conv_Relu_1588dfa92fa2.py [--threads N] [--json]`.

Benchmark 1588dfa92fa285598d2da601fec2deb6f7b24b81d4bd6d960cf67154816446a4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1588dfa92fa285598d2da601fec2deb6f7b24b81d4bd6d960cf67154816446a4', SUITE, sys.argv[1:]))

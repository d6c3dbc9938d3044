"""Conv_Relu alone: `python Conv_Relu_b4b1967b7492.py [--threads N] [--json]`.

Benchmark b4b1967b74928eb34f258a48c1b292522c744769c582c5c7605f6a00e90e7957,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b4b1967b74928eb34f258a48c1b292522c744769c582c5c7605f6a00e90e7957', SUITE, sys.argv[1:]))

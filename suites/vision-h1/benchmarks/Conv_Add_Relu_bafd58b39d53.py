"""Conv_Add_Relu alone: `python Conv_Add_Relu_bafd58b39d53.py [--threads N] [--json]`.

Benchmark bafd58b39d5341ddf843d16f7753ec1ec50facd158f0eafef8b689f449a99343,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bafd58b39d5341ddf843d16f7753ec1ec50facd158f0eafef8b689f449a99343', SUITE, sys.argv[1:]))

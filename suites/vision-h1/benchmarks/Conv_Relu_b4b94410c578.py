"""Conv_Relu alone: `python Conv_Relu_b4b94410c578.py [--threads N] [--json]`.

Benchmark b4b94410c5783142ef6da54a1ed34da5edeccf968cc26094741f31e15852936b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b4b94410c5783142ef6da54a1ed34da5edeccf968cc26094741f31e15852936b', SUITE, sys.argv[1:]))

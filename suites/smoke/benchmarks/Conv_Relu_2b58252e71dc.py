"""Conv_Relu alone: `python Conv_Relu_2b58252e71dc.py [--threads N] [--json]`.

Benchmark 2b58252e71dc9614df701b44000bab8203740a4e2e92002b0e958cf9d7ce5a56,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2b58252e71dc9614df701b44000bab8203740a4e2e92002b0e958cf9d7ce5a56', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_4a9e0b3ac4e2.py [--threads N] [--json]`.

Benchmark 4a9e0b3ac4e2dbe1d192edf1a9fb8d58b721db015e7349fea576fe6063046e15,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4a9e0b3ac4e2dbe1d192edf1a9fb8d58b721db015e7349fea576fe6063046e15', SUITE, sys.argv[1:]))

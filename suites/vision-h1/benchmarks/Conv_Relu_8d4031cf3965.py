"""Conv_Relu alone: `python Conv_Relu_8d4031cf3965.py [--threads N] [--json]`.

Benchmark 8d4031cf3965c37d71a24e801f29f36c8b6e4951a20140b0448c8ef0bd0bda66,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d4031cf3965c37d71a24e801f29f36c8b6e4951a20140b0448c8ef0bd0bda66', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_cb4fb32c5055.py [--threads N] [--json]`.

Benchmark cb4fb32c50550f02bd0e723e1a8b90a65aac3dbe36463649c2babb9d87755b53,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb4fb32c50550f02bd0e723e1a8b90a65aac3dbe36463649c2babb9d87755b53', SUITE, sys.argv[1:]))

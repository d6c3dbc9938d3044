"""MatMul alone: `python MatMul_835d07395912.py [--threads N] [--json]`.

Benchmark 835d073959127fedaab852d4706d8cc702e9279ae6403d83d6747898bfaaea18,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('835d073959127fedaab852d4706d8cc702e9279ae6403d83d6747898bfaaea18', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_0123456789ab.py [--threads N] [--json]`.

Benchmark 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,
made by dlbricks 1.2.3. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', SUITE, sys.argv[1:]))

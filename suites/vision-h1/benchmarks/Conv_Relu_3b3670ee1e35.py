"""Conv_Relu alone: `python Conv_Relu_3b3670ee1e35.py [--threads N] [--json]`.

Benchmark 3b3670ee1e350c20ed57a5531bb7a3c3e718eb20d8ade4ac1ca7888a6fcdea22,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b3670ee1e350c20ed57a5531bb7a3c3e718eb20d8ade4ac1ca7888a6fcdea22', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_21b3d496275b.py [--threads N] [--json]`.

Benchmark 21b3d496275b31cc633d68155643c46d667b5d6d13d341152f2e36f976d4b399,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('21b3d496275b31cc633d68155643c46d667b5d6d13d341152f2e36f976d4b399', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_7cef0d1fdea8.py [--threads N] [--json]`.

Benchmark 7cef0d1fdea840ba084ca055c47cec0838ad54ae122a41fc5c9b259cf56b404a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7cef0d1fdea840ba084ca055c47cec0838ad54ae122a41fc5c9b259cf56b404a', SUITE, sys.argv[1:]))

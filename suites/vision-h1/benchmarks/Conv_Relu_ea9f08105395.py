"""Conv_Relu alone: `python Conv_Relu_ea9f08105395.py [--threads N] [--json]`.

Benchmark ea9f081053956d9f8c83b17586375af29dc72add764baa4d4177a803378032e5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea9f081053956d9f8c83b17586375af29dc72add764baa4d4177a803378032e5', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_0f28e6179f37.py [--threads N] [--json]`.

Benchmark 0f28e6179f3780a6ec0a0a84830efb7575c207a90f1f31b65306bc4b895c9f37,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0f28e6179f3780a6ec0a0a84830efb7575c207a90f1f31b65306bc4b895c9f37', SUITE, sys.argv[1:]))

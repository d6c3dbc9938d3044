"""Conv_Relu alone: `python Conv_Relu_940a05d5f87e.py [--threads N] [--json]`.

Benchmark 940a05d5f87e8dbab777c8c09a3148bed08bcb9f6bc97ed5ba5373d63d0f6e0a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('940a05d5f87e8dbab777c8c09a3148bed08bcb9f6bc97ed5ba5373d63d0f6e0a', SUITE, sys.argv[1:]))

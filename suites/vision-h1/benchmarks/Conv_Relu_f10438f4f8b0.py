"""Conv_Relu alone: `python Conv_Relu_f10438f4f8b0.py [--threads N] [--json]`.

Benchmark f10438f4f8b052cbfd8617b8ca6e3aa6ebe6e8ed7d751fcd7fb504211d549125,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f10438f4f8b052cbfd8617b8ca6e3aa6ebe6e8ed7d751fcd7fb504211d549125', SUITE, sys.argv[1:]))

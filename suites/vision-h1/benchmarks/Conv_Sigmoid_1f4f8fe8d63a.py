"""Conv_Sigmoid alone: `python Conv_Sigmoid_1f4f8fe8d63a.py [--threads N] [--json]`.

Benchmark 1f4f8fe8d63a0b4a8de83fb181f191771ff774e8f0a722b7f6c49217b551cd77,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1f4f8fe8d63a0b4a8de83fb181f191771ff774e8f0a722b7f6c49217b551cd77', SUITE, sys.argv[1:]))

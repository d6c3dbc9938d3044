"""Conv_Relu alone: `python Conv_Relu_124a0b99e991.py [--threads N] [--json]`.

Benchmark 124a0b99e9915abcbebaf8113400f277db70f38c0f273572ec82947314c68a9b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('124a0b99e9915abcbebaf8113400f277db70f38c0f273572ec82947314c68a9b', SUITE, sys.argv[1:]))

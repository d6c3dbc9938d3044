"""Conv_Relu alone: `python Conv_Relu_b30b9aa9ae79.py [--threads N] [--json]`.

Benchmark b30b9aa9ae79f1d0652338fb2856dae0eb71151397ac7e115e257c94c9447e9c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b30b9aa9ae79f1d0652338fb2856dae0eb71151397ac7e115e257c94c9447e9c', SUITE, sys.argv[1:]))

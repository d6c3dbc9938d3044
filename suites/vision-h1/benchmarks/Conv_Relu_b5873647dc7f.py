"""Conv_Relu alone: `python Conv_Relu_b5873647dc7f.py [--threads N] [--json]`.

Benchmark b5873647dc7f05c48cb86bba9f0fb0e153213f631f5b25e5dc48a561db03c33f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5873647dc7f05c48cb86bba9f0fb0e153213f631f5b25e5dc48a561db03c33f', SUITE, sys.argv[1:]))

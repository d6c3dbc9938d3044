"""Conv_Add_Relu alone: `python Conv_Add_Relu_a2d3b1a19b4e.py [--threads N] [--json]`.

Benchmark a2d3b1a19b4e48af3a52a310d44cf5928e45c5171008a777742372c5e1e62572,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a2d3b1a19b4e48af3a52a310d44cf5928e45c5171008a777742372c5e1e62572', SUITE, sys.argv[1:]))

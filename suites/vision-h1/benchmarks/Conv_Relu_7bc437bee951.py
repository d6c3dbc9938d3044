"""Conv_Relu alone: `python Conv_Relu_7bc437bee951.py [--threads N] [--json]`.

Benchmark 7bc437bee951777ca158a319680b0860ae33f31de6ab9da05e1e77fcae4517be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7bc437bee951777ca158a319680b0860ae33f31de6ab9da05e1e77fcae4517be', SUITE, sys.argv[1:]))

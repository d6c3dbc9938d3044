"""Conv_Relu alone: `python Conv_Relu_a250e5b86af7.py [--threads N] [--json]`.

Benchmark a250e5b86af733c3d501ebd86e1d09df06585a8c4ceb558f45414e54f4fbc400,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a250e5b86af733c3d501ebd86e1d09df06585a8c4ceb558f45414e54f4fbc400', SUITE, sys.argv[1:]))

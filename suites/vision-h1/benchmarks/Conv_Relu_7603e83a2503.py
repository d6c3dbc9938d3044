"""Conv_Relu alone: `python Conv_Relu_7603e83a2503.py [--threads N] [--json]`.

Benchmark 7603e83a2503d7dceb8051695f5d4a273273227bf900851972982d4aa74964cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7603e83a2503d7dceb8051695f5d4a273273227bf900851972982d4aa74964cf', SUITE, sys.argv[1:]))

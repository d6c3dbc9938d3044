"""Conv_Relu alone: `python Conv_Relu_a21185690751.py [--threads N] [--json]`.

Benchmark a21185690751d261d675fee5a40d4d4ab24cb63a719a1ff5612a156a3fc1fe86,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a21185690751d261d675fee5a40d4d4ab24cb63a719a1ff5612a156a3fc1fe86', SUITE, sys.argv[1:]))

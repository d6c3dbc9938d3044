"""Conv_Relu alone: `python Conv_Relu_2583b4839bc5.py [--threads N] [--json]`.

Benchmark 2583b4839bc5dcd4d46483e43eb27301ba2929c134caffd504562ad76e0d4c28,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2583b4839bc5dcd4d46483e43eb27301ba2929c134caffd504562ad76e0d4c28', SUITE, sys.argv[1:]))

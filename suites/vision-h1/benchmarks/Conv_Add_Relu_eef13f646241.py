"""Conv_Add_Relu alone: `python Conv_Add_Relu_eef13f646241.py [--threads N] [--json]`.

Benchmark eef13f6462419338e1d4bde93dc3615c7a0edb2cd738ed1576c5532e5d281d25,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eef13f6462419338e1d4bde93dc3615c7a0edb2cd738ed1576c5532e5d281d25', SUITE, sys.argv[1:]))

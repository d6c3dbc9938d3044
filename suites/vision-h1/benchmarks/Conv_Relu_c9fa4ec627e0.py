"""Conv_Relu alone: `python Conv_Relu_c9fa4ec627e0.py [--threads N] [--json]`.

Benchmark c9fa4ec627e0cbd28f22a112074cca745089041a198e63b04fc0f82e849913d6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c9fa4ec627e0cbd28f22a112074cca745089041a198e63b04fc0f82e849913d6', SUITE, sys.argv[1:]))

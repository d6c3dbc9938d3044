"""Conv_Relu alone: `python Conv_Relu_31ded84ecc76.py [--threads N] [--json]`.

Benchmark 31ded84ecc7643f57f7f241f571ba8817ac268c80c6aca18a41f554dfc962cc6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('31ded84ecc7643f57f7f241f571ba8817ac268c80c6aca18a41f554dfc962cc6', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_a8677d741e5c.py [--threads N] [--json]`.

Benchmark a8677d741e5c99b66b2d2fa80f0bb85dabbf6f5367496f5f5a74977aa96427bb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a8677d741e5c99b66b2d2fa80f0bb85dabbf6f5367496f5f5a74977aa96427bb', SUITE, sys.argv[1:]))

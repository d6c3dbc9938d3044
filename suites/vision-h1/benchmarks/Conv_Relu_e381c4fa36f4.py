"""Conv_Relu alone: `python Conv_Relu_e381c4fa36f4.py [--threads N] [--json]`.

Benchmark e381c4fa36f47b66b145e7b274c71c38ece30324c5a07f9ea848d2e64892f91d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e381c4fa36f47b66b145e7b274c71c38ece30324c5a07f9ea848d2e64892f91d', SUITE, sys.argv[1:]))

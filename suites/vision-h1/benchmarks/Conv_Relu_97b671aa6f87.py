"""Conv_Relu alone: `python Conv_Relu_97b671aa6f87.py [--threads N] [--json]`.

Benchmark 97b671aa6f87b8e81c22694995b98faf277130c2304b4b2a05fb69a3c7fcb5e3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('97b671aa6f87b8e81c22694995b98faf277130c2304b4b2a05fb69a3c7fcb5e3', SUITE, sys.argv[1:]))

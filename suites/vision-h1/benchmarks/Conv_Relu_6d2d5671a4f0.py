"""Conv_Relu alone: `python Conv_Relu_6d2d5671a4f0.py [--threads N] [--json]`.

Benchmark 6d2d5671a4f0b93be62c1c84ec845bceec64fb433f307b47dd63ec288043ddb5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d2d5671a4f0b93be62c1c84ec845bceec64fb433f307b47dd63ec288043ddb5', SUITE, sys.argv[1:]))

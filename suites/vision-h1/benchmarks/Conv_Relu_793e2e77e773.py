"""Conv_Relu alone: `python Conv_Relu_793e2e77e773.py [--threads N] [--json]`.

Benchmark 793e2e77e773707a1155e60c42089a9875b9c44ea6ed922554fd4848164fcb92,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('793e2e77e773707a1155e60c42089a9875b9c44ea6ed922554fd4848164fcb92', SUITE, sys.argv[1:]))

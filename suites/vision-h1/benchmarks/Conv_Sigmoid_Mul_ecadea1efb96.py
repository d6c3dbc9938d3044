"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_ecadea1efb96.py [--threads N] [--json]`.

Benchmark ecadea1efb961b701b98eaea5f352538828159e545e794ea96d07775de222112,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ecadea1efb961b701b98eaea5f352538828159e545e794ea96d07775de222112', SUITE, sys.argv[1:]))

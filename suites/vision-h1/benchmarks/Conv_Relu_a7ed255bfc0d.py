"""Conv_Relu alone: `python Conv_Relu_a7ed255bfc0d.py [--threads N] [--json]`.

Benchmark a7ed255bfc0d7cc10a011ac78939ce8c4c428196c4af99b5abd22b320c743f62,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a7ed255bfc0d7cc10a011ac78939ce8c4c428196c4af99b5abd22b320c743f62', SUITE, sys.argv[1:]))

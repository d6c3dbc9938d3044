"""Conv_Sigmoid alone: `python Conv_Sigmoid_521b1be7d993.py [--threads N] [--json]`.

Benchmark 521b1be7d99344989d6e3700aab01787b897ab128dc6d24cf32fe8e539345ada,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('521b1be7d99344989d6e3700aab01787b897ab128dc6d24cf32fe8e539345ada', SUITE, sys.argv[1:]))

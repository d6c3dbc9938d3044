"""Conv_Relu alone: `python Conv_Relu_304817bf7c65.py [--threads N] [--json]`.

Benchmark 304817bf7c655ae725ebca58f8d2f4721bffffd0ad154e413cd135b25cd67ef0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('304817bf7c655ae725ebca58f8d2f4721bffffd0ad154e413cd135b25cd67ef0', SUITE, sys.argv[1:]))

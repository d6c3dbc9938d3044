"""Conv_Add_Relu alone: `python Conv_Add_Relu_7b080ffafa80.py [--threads N] [--json]`.

Benchmark 7b080ffafa80ce99f8ca06d85a37a608198eadff78ecfaef84b9010322986d0e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b080ffafa80ce99f8ca06d85a37a608198eadff78ecfaef84b9010322986d0e', SUITE, sys.argv[1:]))

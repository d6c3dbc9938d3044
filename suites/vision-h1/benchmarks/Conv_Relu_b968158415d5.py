"""Conv_Relu alone: `python Conv_Relu_b968158415d5.py [--threads N] [--json]`.

Benchmark b968158415d5c6ffed89edff38ee5de2dbea981455435616f42b1087e9b311ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b968158415d5c6ffed89edff38ee5de2dbea981455435616f42b1087e9b311ed', SUITE, sys.argv[1:]))

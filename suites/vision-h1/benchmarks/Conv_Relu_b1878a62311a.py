"""Conv_Relu alone: `python Conv_Relu_b1878a62311a.py [--threads N] [--json]`.

Benchmark b1878a62311a2925837f8c795192e3fd3e3e6b7c820b102b99f744d35162629b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b1878a62311a2925837f8c795192e3fd3e3e6b7c820b102b99f744d35162629b', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_55660191e701.py [--threads N] [--json]`.

Benchmark 55660191e701c367c5eff4451c4339a724117be7b2c20b97500caaca7fab672a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('55660191e701c367c5eff4451c4339a724117be7b2c20b97500caaca7fab672a', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_276a248796c9.py [--threads N] [--json]`.

Benchmark 276a248796c97a7c42c2182efb33f1563b8a3ccd907214f3ada9314673cab189,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('276a248796c97a7c42c2182efb33f1563b8a3ccd907214f3ada9314673cab189', SUITE, sys.argv[1:]))

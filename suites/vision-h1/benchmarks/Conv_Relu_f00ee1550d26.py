"""Conv_Relu alone: `python Conv_Relu_f00ee1550d26.py [--threads N] [--json]`.

Benchmark f00ee1550d26aa32c20c1923496b5aed01916847793a95c42eea2aaaf586b0af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f00ee1550d26aa32c20c1923496b5aed01916847793a95c42eea2aaaf586b0af', SUITE, sys.argv[1:]))

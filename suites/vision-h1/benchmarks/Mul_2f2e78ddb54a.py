"""Mul alone: `python Mul_2f2e78ddb54a.py [--threads N] [--json]`.

Benchmark 2f2e78ddb54acb06a19d35e834324acaf7e04a50ed0c8864a0d5a5879a6b78bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f2e78ddb54acb06a19d35e834324acaf7e04a50ed0c8864a0d5a5879a6b78bc', SUITE, sys.argv[1:]))

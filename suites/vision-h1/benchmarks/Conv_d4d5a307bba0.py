"""Conv alone: `python Conv_d4d5a307bba0.py [--threads N] [--json]`.

Benchmark d4d5a307bba0c3303b6e82540570d58f718d743bf25c2e907ead215cf4862b05,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d4d5a307bba0c3303b6e82540570d58f718d743bf25c2e907ead215cf4862b05', SUITE, sys.argv[1:]))

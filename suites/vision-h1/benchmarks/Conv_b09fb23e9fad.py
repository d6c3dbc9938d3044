"""Conv alone: `python Conv_b09fb23e9fad.py [--threads N] [--json]`.

Benchmark b09fb23e9fad18a46bd343133d433622e0e6539187d4517e3251553a2fa940da,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b09fb23e9fad18a46bd343133d433622e0e6539187d4517e3251553a2fa940da', SUITE, sys.argv[1:]))

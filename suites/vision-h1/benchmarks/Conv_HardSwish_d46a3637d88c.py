"""Conv_HardSwish alone: `python Conv_HardSwish_d46a3637d88c.py [--threads N] [--json]`.

Benchmark d46a3637d88c8625e9ad003690c2589dec6c8b420d2eff87bae65b4e6a3b0e4b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d46a3637d88c8625e9ad003690c2589dec6c8b420d2eff87bae65b4e6a3b0e4b', SUITE, sys.argv[1:]))

"""Mul alone: `python Mul_34702a57bfdf.py [--threads N] [--json]`.

Benchmark 34702a57bfdf3b8fc3810fc4d05e9c5431473e30307f3627d8fa0bdb1cfff686,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('34702a57bfdf3b8fc3810fc4d05e9c5431473e30307f3627d8fa0bdb1cfff686', SUITE, sys.argv[1:]))

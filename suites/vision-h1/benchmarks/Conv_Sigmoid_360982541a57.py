"""Conv_Sigmoid alone: `python Conv_Sigmoid_360982541a57.py [--threads N] [--json]`.

Benchmark 360982541a5746307d35a92e11c6c505d02b4131d3c8bb862cde9218ad4e12c5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('360982541a5746307d35a92e11c6c505d02b4131d3c8bb862cde9218ad4e12c5', SUITE, sys.argv[1:]))

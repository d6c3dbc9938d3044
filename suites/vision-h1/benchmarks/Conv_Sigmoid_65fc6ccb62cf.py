"""Conv_Sigmoid alone: `python Conv_Sigmoid_65fc6ccb62cf.py [--threads N] [--json]`.

Benchmark 65fc6ccb62cf2e2efa1c5745fa4a61bce922fa05f773842ae8adc819079f7b66,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65fc6ccb62cf2e2efa1c5745fa4a61bce922fa05f773842ae8adc819079f7b66', SUITE, sys.argv[1:]))

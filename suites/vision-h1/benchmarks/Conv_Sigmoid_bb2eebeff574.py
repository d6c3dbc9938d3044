"""Conv_Sigmoid alone: `python Conv_Sigmoid_bb2eebeff574.py [--threads N] [--json]`.

Benchmark bb2eebeff5746b9c5f60e69cf27bb902bea42bc4a9790370a5c7f74b927810bb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bb2eebeff5746b9c5f60e69cf27bb902bea42bc4a9790370a5c7f74b927810bb', SUITE, sys.argv[1:]))

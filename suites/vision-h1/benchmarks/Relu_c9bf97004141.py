"""Relu alone: `python Relu_c9bf97004141.py [--threads N] [--json]`.

Benchmark c9bf97004141ac922ae337659f1d0050105ffc13a1229b71ed4fba8af7e336c4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c9bf97004141ac922ae337659f1d0050105ffc13a1229b71ed4fba8af7e336c4', SUITE, sys.argv[1:]))

"""LSTM alone: `python LSTM_6c05b6792db6.py [--threads N] [--json]`.

Benchmark 6c05b6792db6b1e58f30ff7e1e69f148223b222556567d0952bcd7095db5d8e9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c05b6792db6b1e58f30ff7e1e69f148223b222556567d0952bcd7095db5d8e9', SUITE, sys.argv[1:]))

"""LSTM alone: `python LSTM_08aeab6db755.py [--threads N] [--json]`.

Benchmark 08aeab6db755b5f73bf5f81a1b72bbdc90d400f9486e227c97a9ccd4bc702e7f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('08aeab6db755b5f73bf5f81a1b72bbdc90d400f9486e227c97a9ccd4bc702e7f', SUITE, sys.argv[1:]))

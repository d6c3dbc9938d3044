"""LSTM alone: `python LSTM_8e8f0df15446.py [--threads N] [--json]`.

Benchmark 8e8f0df15446941517560f30e7eff0b89b1a1b5da1c00d0c75e4ba1b39e41cff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8e8f0df15446941517560f30e7eff0b89b1a1b5da1c00d0c75e4ba1b39e41cff', SUITE, sys.argv[1:]))

"""Conv alone: `python Conv_96f70b841e9c.py [--threads N] [--json]`.

Benchmark 96f70b841e9cfabb6faba54a504b7339aed777217f1f6c9fb7dbc7ca5b5ce2ba,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('96f70b841e9cfabb6faba54a504b7339aed777217f1f6c9fb7dbc7ca5b5ce2ba', SUITE, sys.argv[1:]))

"""Conv alone: `python Conv_942fad83cdbb.py [--threads N] [--json]`.

Benchmark 942fad83cdbbcad36de4369607c9d97d34a5dad6de4630e76c3cd2f8feffbf0d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('942fad83cdbbcad36de4369607c9d97d34a5dad6de4630e76c3cd2f8feffbf0d', SUITE, sys.argv[1:]))

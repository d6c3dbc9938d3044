"""Conv alone: `python Conv_d5c9622a0024.py [--threads N] [--json]`.

Benchmark d5c9622a0024db35315ea7fb409beac7c176f966f67ef90dc6c1efea28d036f6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5c9622a0024db35315ea7fb409beac7c176f966f67ef90dc6c1efea28d036f6', SUITE, sys.argv[1:]))

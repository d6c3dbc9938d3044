"""Add alone: `python Add_ca434e33163d.py [--threads N] [--json]`.

Benchmark ca434e33163dcb9465b51a8c63dc8c5302c61a3bf70d791b744d7c649b9567c5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca434e33163dcb9465b51a8c63dc8c5302c61a3bf70d791b744d7c649b9567c5', SUITE, sys.argv[1:]))

"""Conv alone: `python Conv_d97d6b356818.py [--threads N] [--json]`.

Benchmark d97d6b35681841ebdb1b188114018631af92d76f7febdf7f9af7a45440ada879,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d97d6b35681841ebdb1b188114018631af92d76f7febdf7f9af7a45440ada879', SUITE, sys.argv[1:]))

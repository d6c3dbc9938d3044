"""Conv alone: `python Conv_3061a85c9a75.py [--threads N] [--json]`.

Benchmark 3061a85c9a7597492e5cf0aa8307a6e479b7bd2d71856f6d625ffc459143b3e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3061a85c9a7597492e5cf0aa8307a6e479b7bd2d71856f6d625ffc459143b3e1', SUITE, sys.argv[1:]))

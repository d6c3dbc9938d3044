"""Add alone: `python Add_b04d12466234.py [--threads N] [--json]`.

Benchmark b04d12466234654db9e2d708e7fedebfd9a0b6d439f48aae595ede333b72be16,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b04d12466234654db9e2d708e7fedebfd9a0b6d439f48aae595ede333b72be16', SUITE, sys.argv[1:]))

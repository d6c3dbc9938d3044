"""Add alone: `python Add_f59f6965b731.py [--threads N] [--json]`.

Benchmark f59f6965b73177f41358f66b1ad3ea22c29fe6ac82a0bf12675a874de32d98b6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f59f6965b73177f41358f66b1ad3ea22c29fe6ac82a0bf12675a874de32d98b6', SUITE, sys.argv[1:]))

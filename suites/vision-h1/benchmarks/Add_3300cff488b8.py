"""Add alone: `python Add_3300cff488b8.py [--threads N] [--json]`.

Benchmark 3300cff488b8e29219df0f262519cc50c223553af54b170b04c31355559c0569,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3300cff488b8e29219df0f262519cc50c223553af54b170b04c31355559c0569', SUITE, sys.argv[1:]))

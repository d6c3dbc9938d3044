"""Add alone: `python Add_6dd15acb33d2.py [--threads N] [--json]`.

Benchmark 6dd15acb33d21922e6b25628d3804b84bd56108725cf4a2e61b338d092685e69,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6dd15acb33d21922e6b25628d3804b84bd56108725cf4a2e61b338d092685e69', SUITE, sys.argv[1:]))

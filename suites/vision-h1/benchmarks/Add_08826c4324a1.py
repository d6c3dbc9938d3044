"""Add alone: `python Add_08826c4324a1.py [--threads N] [--json]`.

Benchmark 08826c4324a1376356e252c21418459fb39dbf14b2f5b848606e91232a592f17,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('08826c4324a1376356e252c21418459fb39dbf14b2f5b848606e91232a592f17', SUITE, sys.argv[1:]))

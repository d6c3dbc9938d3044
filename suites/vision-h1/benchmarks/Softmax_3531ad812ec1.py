"""Softmax alone: `python Softmax_3531ad812ec1.py [--threads N] [--json]`.

Benchmark 3531ad812ec15cd0a84a75dd69389d8e9e78a7d1200efa543867b5d69b2b7e65,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3531ad812ec15cd0a84a75dd69389d8e9e78a7d1200efa543867b5d69b2b7e65', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_74eeb9af1068.py [--threads N] [--json]`.

Benchmark 74eeb9af1068f8e8701e06bf72d34e710fa39a85fca5a6d5d9ac93b72d182fa6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('74eeb9af1068f8e8701e06bf72d34e710fa39a85fca5a6d5d9ac93b72d182fa6', SUITE, sys.argv[1:]))

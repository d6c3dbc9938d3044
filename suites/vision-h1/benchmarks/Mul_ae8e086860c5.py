"""Mul alone: `python Mul_ae8e086860c5.py [--threads N] [--json]`.

Benchmark ae8e086860c50473ad1100804fb4ace5c081dc40ec88b39b0297cb6ecc4e7ed1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae8e086860c50473ad1100804fb4ace5c081dc40ec88b39b0297cb6ecc4e7ed1', SUITE, sys.argv[1:]))

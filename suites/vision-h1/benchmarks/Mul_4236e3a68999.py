"""Mul alone: `python Mul_4236e3a68999.py [--threads N] [--json]`.

Benchmark 4236e3a689992660dc6fe8f4094ba633d3f1c8071d7211df792b22ac8e976ce3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4236e3a689992660dc6fe8f4094ba633d3f1c8071d7211df792b22ac8e976ce3', SUITE, sys.argv[1:]))

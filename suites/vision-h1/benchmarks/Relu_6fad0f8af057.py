"""Relu alone: `python Relu_6fad0f8af057.py [--threads N] [--json]`.

Benchmark 6fad0f8af0572ca3b76a0126f927898ee168e3fcebb1629faa29c2cfcef63c27,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6fad0f8af0572ca3b76a0126f927898ee168e3fcebb1629faa29c2cfcef63c27', SUITE, sys.argv[1:]))

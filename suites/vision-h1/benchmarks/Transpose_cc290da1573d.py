"""Transpose alone: `python Transpose_cc290da1573d.py [--threads N] [--json]`.

Benchmark cc290da1573d4de899fe94093df88c82e2a01e3b10533b313c72270704c36d80,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc290da1573d4de899fe94093df88c82e2a01e3b10533b313c72270704c36d80', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_51e06b46b844.py [--threads N] [--json]`.

Benchmark 51e06b46b844c5966c49d98812d379828307bc4c222ec3b5073d83846500463c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('51e06b46b844c5966c49d98812d379828307bc4c222ec3b5073d83846500463c', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_c18ddddc2ba3.py [--threads N] [--json]`.

Benchmark c18ddddc2ba3d902ad5d529d0ff45156f7105c888b8d22eac0f775fd4d83ab8b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c18ddddc2ba3d902ad5d529d0ff45156f7105c888b8d22eac0f775fd4d83ab8b', SUITE, sys.argv[1:]))

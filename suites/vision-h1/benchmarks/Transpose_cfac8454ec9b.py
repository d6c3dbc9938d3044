"""Transpose alone: `python Transpose_cfac8454ec9b.py [--threads N] [--json]`.

Benchmark cfac8454ec9b3ca7e7dec583aed08e99c1510a761b02dc5c41a0f11a22129065,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cfac8454ec9b3ca7e7dec583aed08e99c1510a761b02dc5c41a0f11a22129065', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_ea6dd7fef55c.py [--threads N] [--json]`.

Benchmark ea6dd7fef55ce1ec3c1383db70f66b903af59cd17ea29fa6b6709ec79d52ef81,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea6dd7fef55ce1ec3c1383db70f66b903af59cd17ea29fa6b6709ec79d52ef81', SUITE, sys.argv[1:]))

"""BatchNormalization alone: `python BatchNormalization_b33c1f8a35bb.py [--threads N] [--json]`.

Benchmark b33c1f8a35bb27f027f4671640f161a5948db577c28bfb51507d44d11a55baf5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b33c1f8a35bb27f027f4671640f161a5948db577c28bfb51507d44d11a55baf5', SUITE, sys.argv[1:]))

"""Resize alone: `python Resize_c888e4a3192a.py [--threads N] [--json]`.

Benchmark c888e4a3192a38bc337e3d74f1524d9a14c5e7341cb6401d6fef6541450b047e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c888e4a3192a38bc337e3d74f1524d9a14c5e7341cb6401d6fef6541450b047e', SUITE, sys.argv[1:]))

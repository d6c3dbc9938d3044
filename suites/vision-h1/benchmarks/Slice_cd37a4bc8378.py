"""Slice alone: `python Slice_cd37a4bc8378.py [--threads N] [--json]`.

Benchmark cd37a4bc83786fa5f730084d312ffbbaa6f64eb57a0ee34121bc9291dd28cbd5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cd37a4bc83786fa5f730084d312ffbbaa6f64eb57a0ee34121bc9291dd28cbd5', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_b033f5f31bec.py [--threads N] [--json]`.

Benchmark b033f5f31bec9f5a48ad854aebad5f4736212d222312dfe936bb71b4a0f72bae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b033f5f31bec9f5a48ad854aebad5f4736212d222312dfe936bb71b4a0f72bae', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_27ce9e3f568b.py [--threads N] [--json]`.

Benchmark 27ce9e3f568b0e973b4a9b32db166470c83e1f611f06f0673ba67b92c9ed3f7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('27ce9e3f568b0e973b4a9b32db166470c83e1f611f06f0673ba67b92c9ed3f7a', SUITE, sys.argv[1:]))

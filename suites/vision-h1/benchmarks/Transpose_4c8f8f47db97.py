"""Transpose alone: `python Transpose_4c8f8f47db97.py [--threads N] [--json]`.

Benchmark 4c8f8f47db9712f0420e072b200818a8964116ac64e0d534102eec8ab7b4c329,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c8f8f47db9712f0420e072b200818a8964116ac64e0d534102eec8ab7b4c329', SUITE, sys.argv[1:]))

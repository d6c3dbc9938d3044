"""Transpose alone: `python Transpose_1492a97d0c37.py [--threads N] [--json]`.

Benchmark 1492a97d0c37ccaef8cfb4677d5558b5ea75f5431adb6efe9c81929f9d5210df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1492a97d0c37ccaef8cfb4677d5558b5ea75f5431adb6efe9c81929f9d5210df', SUITE, sys.argv[1:]))

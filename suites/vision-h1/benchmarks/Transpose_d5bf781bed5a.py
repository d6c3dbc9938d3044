"""Transpose alone: `python Transpose_d5bf781bed5a.py [--threads N] [--json]`.

Benchmark d5bf781bed5a22d1df20f614b1379832b5f6b8a6cbc5c56127fdfef65e1e9dd2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5bf781bed5a22d1df20f614b1379832b5f6b8a6cbc5c56127fdfef65e1e9dd2', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_c45c19c63d26.py [--threads N] [--json]`.

Benchmark c45c19c63d265e88767acf0034e4b48a302d115402d8d64decec0ae172989dd3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c45c19c63d265e88767acf0034e4b48a302d115402d8d64decec0ae172989dd3', SUITE, sys.argv[1:]))

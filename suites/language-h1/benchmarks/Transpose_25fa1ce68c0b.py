"""Transpose alone: `python Transpose_25fa1ce68c0b.py [--threads N] [--json]`.

Benchmark 25fa1ce68c0b786ddbe3169d686d324c8a99999708735a132a378ba7ff8f7e6a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('25fa1ce68c0b786ddbe3169d686d324c8a99999708735a132a378ba7ff8f7e6a', SUITE, sys.argv[1:]))

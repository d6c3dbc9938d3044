"""Softmax alone: `python Softmax_d982ac793997.py [--threads N] [--json]`.

Benchmark d982ac793997d520c40df86ef4be783172583200ea6b0256164cfcfbb9d96e3b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d982ac793997d520c40df86ef4be783172583200ea6b0256164cfcfbb9d96e3b', SUITE, sys.argv[1:]))

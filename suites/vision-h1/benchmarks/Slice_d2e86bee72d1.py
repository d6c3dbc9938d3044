"""Slice alone: `python Slice_d2e86bee72d1.py [--threads N] [--json]`.

Benchmark d2e86bee72d125f9b12f8ac2ef1e581b3736aa2d0bb5f6c04dd0a17a3655ded6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d2e86bee72d125f9b12f8ac2ef1e581b3736aa2d0bb5f6c04dd0a17a3655ded6', SUITE, sys.argv[1:]))

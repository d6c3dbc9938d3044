"""Transpose alone: `python Transpose_2895d7ca9ebc.py [--threads N] [--json]`.

Benchmark 2895d7ca9ebca1c2cd9b669ff92e0cc268dcb23858a34294a194e0dbbc7b0be3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2895d7ca9ebca1c2cd9b669ff92e0cc268dcb23858a34294a194e0dbbc7b0be3', SUITE, sys.argv[1:]))

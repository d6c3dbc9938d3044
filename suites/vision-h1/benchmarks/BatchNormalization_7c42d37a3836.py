"""BatchNormalization alone: `python BatchNormalization_7c42d37a3836.py [--threads N] [--json]`.

Benchmark 7c42d37a3836babc6b394d0f9ebe3cac07388ae1f3f03e8a0cb9161fc63264b3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7c42d37a3836babc6b394d0f9ebe3cac07388ae1f3f03e8a0cb9161fc63264b3', SUITE, sys.argv[1:]))

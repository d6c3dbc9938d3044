"""Transpose alone: `python Transpose_9116c4c5a5da.py [--threads N] [--json]`.

Benchmark 9116c4c5a5da3eeb930d963e02d2d75403e49edf46e271b183b3df5c392aff4c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9116c4c5a5da3eeb930d963e02d2d75403e49edf46e271b183b3df5c392aff4c', SUITE, sys.argv[1:]))

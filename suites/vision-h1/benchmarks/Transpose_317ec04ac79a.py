"""Transpose alone: `python Transpose_317ec04ac79a.py [--threads N] [--json]`.

Benchmark 317ec04ac79a7417985ace6ede62f47b0089b287b25d2c95efaaedc9c266c61e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('317ec04ac79a7417985ace6ede62f47b0089b287b25d2c95efaaedc9c266c61e', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_b826aa7d2276.py [--threads N] [--json]`.

Benchmark b826aa7d2276daced1828309f1ae4812ee5e8044162849721b9cc74a5df1f5db,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b826aa7d2276daced1828309f1ae4812ee5e8044162849721b9cc74a5df1f5db', SUITE, sys.argv[1:]))

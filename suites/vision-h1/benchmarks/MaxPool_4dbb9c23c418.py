"""MaxPool alone: `python MaxPool_4dbb9c23c418.py [--threads N] [--json]`.

Benchmark 4dbb9c23c418bc1898ea48a6c29aa0733f1d725763d82abf6dda01daa58569dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4dbb9c23c418bc1898ea48a6c29aa0733f1d725763d82abf6dda01daa58569dc', SUITE, sys.argv[1:]))

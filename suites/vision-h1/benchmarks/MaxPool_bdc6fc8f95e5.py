"""MaxPool alone: `python MaxPool_bdc6fc8f95e5.py [--threads N] [--json]`.

Benchmark bdc6fc8f95e59aad7d34710214ccc9760f8843d97b69682804a0638c037c9385,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bdc6fc8f95e59aad7d34710214ccc9760f8843d97b69682804a0638c037c9385', SUITE, sys.argv[1:]))

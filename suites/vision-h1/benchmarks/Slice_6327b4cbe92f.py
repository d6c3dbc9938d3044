"""Slice alone: `python Slice_6327b4cbe92f.py [--threads N] [--json]`.

Benchmark 6327b4cbe92f76c5ca6fd6efac2d2a483bfdd0d15aa4ff412de6d549d5089277,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6327b4cbe92f76c5ca6fd6efac2d2a483bfdd0d15aa4ff412de6d549d5089277', SUITE, sys.argv[1:]))

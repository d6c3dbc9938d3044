"""Slice alone: `python Slice_0982e5080132.py [--threads N] [--json]`.

Benchmark 0982e50801321dc62653acc3327b86409debd241a326c817432e7d46a2b856eb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0982e50801321dc62653acc3327b86409debd241a326c817432e7d46a2b856eb', SUITE, sys.argv[1:]))

"""Gelu alone: `python Gelu_1ddd5609c49b.py [--threads N] [--json]`.

Benchmark 1ddd5609c49b10298823789c71617b700c1e5abd4b0464961ff92d2d921b20ce,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1ddd5609c49b10298823789c71617b700c1e5abd4b0464961ff92d2d921b20ce', SUITE, sys.argv[1:]))

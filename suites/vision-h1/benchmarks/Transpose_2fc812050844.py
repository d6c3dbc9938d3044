"""Transpose alone: `python Transpose_2fc812050844.py [--threads N] [--json]`.

Benchmark 2fc8120508441e543b69930cee1ac18460bf82cecc37125d7fb62d25cfdc58c4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2fc8120508441e543b69930cee1ac18460bf82cecc37125d7fb62d25cfdc58c4', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_d15dcc694d0e.py [--threads N] [--json]`.

Benchmark d15dcc694d0e25d5dcbd188e096456d25471726484bc3a4fae421c603f05d341,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d15dcc694d0e25d5dcbd188e096456d25471726484bc3a4fae421c603f05d341', SUITE, sys.argv[1:]))

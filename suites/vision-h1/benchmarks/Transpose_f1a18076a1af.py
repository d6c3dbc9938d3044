"""Transpose alone: `python Transpose_f1a18076a1af.py [--threads N] [--json]`.

Benchmark f1a18076a1af8ecb59cd85916f7d4ec60cf189610603f7189909440343c36342,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1a18076a1af8ecb59cd85916f7d4ec60cf189610603f7189909440343c36342', SUITE, sys.argv[1:]))

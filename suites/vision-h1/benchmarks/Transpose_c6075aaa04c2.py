"""Transpose alone: `python Transpose_c6075aaa04c2.py [--threads N] [--json]`.

Benchmark c6075aaa04c2be1911765e061115f6331f26554bea70a4eff8c72859d86a6076,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c6075aaa04c2be1911765e061115f6331f26554bea70a4eff8c72859d86a6076', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_df5d11e590bb.py [--threads N] [--json]`.

Benchmark df5d11e590bb90e804b044e3bc30d53370d7d3b5dbcd67b7ed72920ccd685be5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('df5d11e590bb90e804b044e3bc30d53370d7d3b5dbcd67b7ed72920ccd685be5', SUITE, sys.argv[1:]))

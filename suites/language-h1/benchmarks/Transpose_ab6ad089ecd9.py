"""Transpose alone: `python Transpose_ab6ad089ecd9.py [--threads N] [--json]`.

Benchmark ab6ad089ecd929d3cdce438e22f0db7b28e7be1aa35b22f53180ac02d437aafd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ab6ad089ecd929d3cdce438e22f0db7b28e7be1aa35b22f53180ac02d437aafd', SUITE, sys.argv[1:]))

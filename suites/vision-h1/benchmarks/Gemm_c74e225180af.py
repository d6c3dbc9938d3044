"""Gemm alone: `python Gemm_c74e225180af.py [--threads N] [--json]`.

Benchmark c74e225180af2092c7034968d757a6d3146f60a9c7785d9aedf94227e963852b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c74e225180af2092c7034968d757a6d3146f60a9c7785d9aedf94227e963852b', SUITE, sys.argv[1:]))

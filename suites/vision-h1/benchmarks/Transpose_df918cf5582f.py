"""Transpose alone: `python Transpose_df918cf5582f.py [--threads N] [--json]`.

Benchmark df918cf5582fb18c2a7d6791f66bde4f03a9ef748e404ad14ac9e1fe2d490ccc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('df918cf5582fb18c2a7d6791f66bde4f03a9ef748e404ad14ac9e1fe2d490ccc', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_453030b102ab.py [--threads N] [--json]`.

Benchmark 453030b102abfcf56a4206e3122a891a6e25dfe8443705aaec16baecda56a177,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('453030b102abfcf56a4206e3122a891a6e25dfe8443705aaec16baecda56a177', SUITE, sys.argv[1:]))

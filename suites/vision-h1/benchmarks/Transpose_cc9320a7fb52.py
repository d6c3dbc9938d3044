"""Transpose alone: `python Transpose_cc9320a7fb52.py [--threads N] [--json]`.

Benchmark cc9320a7fb52d062723e2f471ab02410a98270ba4b6363cef66445049fc0834c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc9320a7fb52d062723e2f471ab02410a98270ba4b6363cef66445049fc0834c', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_eed866cc4c34.py [--threads N] [--json]`.

Benchmark eed866cc4c34d903eab4ef5cbc8768ffde5dcc98e78c20113261a62394f6da9d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eed866cc4c34d903eab4ef5cbc8768ffde5dcc98e78c20113261a62394f6da9d', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_f37cf6a6c1e1.py [--threads N] [--json]`.

Benchmark f37cf6a6c1e1fd650e652834bd71699be1098222902f5f6b7f2e0178cca7906e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f37cf6a6c1e1fd650e652834bd71699be1098222902f5f6b7f2e0178cca7906e', SUITE, sys.argv[1:]))

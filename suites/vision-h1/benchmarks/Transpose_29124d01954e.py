"""Transpose alone: `python Transpose_29124d01954e.py [--threads N] [--json]`.

Benchmark 29124d01954ef1acf7947f0dcc2ba05c132be83b7f142e7f963118a13043fda4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('29124d01954ef1acf7947f0dcc2ba05c132be83b7f142e7f963118a13043fda4', SUITE, sys.argv[1:]))

"""BatchNormalization alone: `python BatchNormalization_10d0473297ff.py [--threads N] [--json]`.

Benchmark 10d0473297ff21093ff66ac837d301cf2ae0326be290ea5dfe3cff099198c51c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('10d0473297ff21093ff66ac837d301cf2ae0326be290ea5dfe3cff099198c51c', SUITE, sys.argv[1:]))

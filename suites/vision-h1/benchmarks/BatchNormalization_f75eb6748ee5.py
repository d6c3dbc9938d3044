"""BatchNormalization alone: `python BatchNormalization_f75eb6748ee5.py [--threads N] [--json]`.

Benchmark f75eb6748ee523b9a00df0014d79980dd00c9e02724809f08617f7f675d4d531,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f75eb6748ee523b9a00df0014d79980dd00c9e02724809f08617f7f675d4d531', SUITE, sys.argv[1:]))

"""BatchNormalization alone: `python BatchNormalization_10a616c55b0d.py [--threads N] [--json]`.

Benchmark 10a616c55b0d21af459715f321a8b012be841ca5ffa78a222272f47f89c92066,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('10a616c55b0d21af459715f321a8b012be841ca5ffa78a222272f47f89c92066', SUITE, sys.argv[1:]))

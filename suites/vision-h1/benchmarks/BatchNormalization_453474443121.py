"""BatchNormalization alone: `python BatchNormalization_453474443121.py [--threads N] [--json]`.

Benchmark 453474443121cb5335a479b73262d9f0ce85907f2bcdacf7af78ed1526b0ca35,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('453474443121cb5335a479b73262d9f0ce85907f2bcdacf7af78ed1526b0ca35', SUITE, sys.argv[1:]))

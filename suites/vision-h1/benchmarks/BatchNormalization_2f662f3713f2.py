"""BatchNormalization alone: `python BatchNormalization_2f662f3713f2.py [--threads N] [--json]`.

Benchmark 2f662f3713f2076500938760fcb315afbf142eda27a5548a11743b6a1ca7e09b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f662f3713f2076500938760fcb315afbf142eda27a5548a11743b6a1ca7e09b', SUITE, sys.argv[1:]))

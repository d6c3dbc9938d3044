"""BatchNormalization alone: `python BatchNormalization_5d2aa4ef3ed3.py [--threads N] [--json]`.

Benchmark 5d2aa4ef3ed37b0f1ba45d622ea6d76371758d1dc94c0a5e3bb4f93fdb0ec8ae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d2aa4ef3ed37b0f1ba45d622ea6d76371758d1dc94c0a5e3bb4f93fdb0ec8ae', SUITE, sys.argv[1:]))

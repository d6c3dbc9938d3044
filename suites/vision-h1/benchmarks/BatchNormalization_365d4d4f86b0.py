"""BatchNormalization alone: `python BatchNormalization_365d4d4f86b0.py [--threads N] [--json]`.

Benchmark 365d4d4f86b0a876c8527f5efe1b54c8b568c2bb94b8421505655732a1c31d31,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('365d4d4f86b0a876c8527f5efe1b54c8b568c2bb94b8421505655732a1c31d31', SUITE, sys.argv[1:]))

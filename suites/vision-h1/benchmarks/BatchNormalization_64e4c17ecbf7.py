"""BatchNormalization alone: `python BatchNormalization_64e4c17ecbf7.py [--threads N] [--json]`.

Benchmark 64e4c17ecbf7cfcc09d96cb73213fc02f4d0b2a321d62296c8639df9122cba83,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('64e4c17ecbf7cfcc09d96cb73213fc02f4d0b2a321d62296c8639df9122cba83', SUITE, sys.argv[1:]))

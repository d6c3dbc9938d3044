"""BatchNormalization alone: `python BatchNormalization_5b594f1aa2c3.py [--threads N] [--json]`.

Benchmark 5b594f1aa2c34e49a8df73f8d389b94ffcbd2f4b7379e6553b7e0fa44466be7d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5b594f1aa2c34e49a8df73f8d389b94ffcbd2f4b7379e6553b7e0fa44466be7d', SUITE, sys.argv[1:]))

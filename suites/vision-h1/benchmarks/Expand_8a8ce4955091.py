"""Expand alone: `python Expand_8a8ce4955091.py [--threads N] [--json]`.

Benchmark 8a8ce4955091ee57f620827108a73583ee4c61b795c7f985c49cd9eac9135009,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8a8ce4955091ee57f620827108a73583ee4c61b795c7f985c49cd9eac9135009', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_c971cab83b84.py [--threads N] [--json]`.

Benchmark c971cab83b84e34df443f3b5deb65d640ada729660a5026646836761fd30867c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c971cab83b84e34df443f3b5deb65d640ada729660a5026646836761fd30867c', SUITE, sys.argv[1:]))

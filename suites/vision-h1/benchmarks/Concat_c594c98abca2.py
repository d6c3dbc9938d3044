"""Concat alone: `python Concat_c594c98abca2.py [--threads N] [--json]`.

Benchmark c594c98abca2bcc171c52e6123ddd716a36b6d9a0eb62064613f04bb2d79718e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c594c98abca2bcc171c52e6123ddd716a36b6d9a0eb62064613f04bb2d79718e', SUITE, sys.argv[1:]))

"""Expand alone: `python Expand_95424cf69c7e.py [--threads N] [--json]`.

Benchmark 95424cf69c7e3c6d34f1ac5512dc781483cc798837c9e2dab3312452b3ebe193,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('95424cf69c7e3c6d34f1ac5512dc781483cc798837c9e2dab3312452b3ebe193', SUITE, sys.argv[1:]))

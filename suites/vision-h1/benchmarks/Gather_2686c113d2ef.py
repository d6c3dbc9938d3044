"""Gather alone: `python Gather_2686c113d2ef.py [--threads N] [--json]`.

Benchmark 2686c113d2efa1076d83deab6621a44d091aea5bfd56d2d7526327f627cc2f6d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2686c113d2efa1076d83deab6621a44d091aea5bfd56d2d7526327f627cc2f6d', SUITE, sys.argv[1:]))

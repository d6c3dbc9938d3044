"""Gather alone: `python Gather_ad957cd2410d.py [--threads N] [--json]`.

Benchmark ad957cd2410d16205dd5c4972bbe8f04bc134fb7c6a921218a59f93a6267792b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad957cd2410d16205dd5c4972bbe8f04bc134fb7c6a921218a59f93a6267792b', SUITE, sys.argv[1:]))

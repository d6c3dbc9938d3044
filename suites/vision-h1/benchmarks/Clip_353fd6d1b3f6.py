"""Clip alone: `python Clip_353fd6d1b3f6.py [--threads N] [--json]`.

Benchmark 353fd6d1b3f6f658fb6241fd3320fa84f81e20df182c5a094a13f5dd3fd6c619,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('353fd6d1b3f6f658fb6241fd3320fa84f81e20df182c5a094a13f5dd3fd6c619', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_cd1a67c66144.py [--threads N] [--json]`.

Benchmark cd1a67c6614485cf45bfd953aed9c11e40f82cbf9e7dfabb255f49735be236cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cd1a67c6614485cf45bfd953aed9c11e40f82cbf9e7dfabb255f49735be236cc', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_fbb55ae53c1a.py [--threads N] [--json]`.

Benchmark fbb55ae53c1a8e3b8a245f042795d88b0af17db519899d1ccd850172b6ae90c1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fbb55ae53c1a8e3b8a245f042795d88b0af17db519899d1ccd850172b6ae90c1', SUITE, sys.argv[1:]))

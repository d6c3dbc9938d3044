"""Transpose alone: `python Transpose_f5135add754e.py [--threads N] [--json]`.

Benchmark f5135add754ec13b1090f44e5d8dc95530cbb6b5b06f173ad876c3a50db81a5a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5135add754ec13b1090f44e5d8dc95530cbb6b5b06f173ad876c3a50db81a5a', SUITE, sys.argv[1:]))

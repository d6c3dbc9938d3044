"""Concat alone: `python Concat_33532c2de5a7.py [--threads N] [--json]`.

Benchmark 33532c2de5a73c0423fc46c0574e7391278c4431e05dd5a8902cb72bfbb30ad5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('33532c2de5a73c0423fc46c0574e7391278c4431e05dd5a8902cb72bfbb30ad5', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_b1dd76b4e66e.py [--threads N] [--json]`.

Benchmark b1dd76b4e66e8bfc5006a3cc3914c2a4e2743e527607639521110aa0607711d8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b1dd76b4e66e8bfc5006a3cc3914c2a4e2743e527607639521110aa0607711d8', SUITE, sys.argv[1:]))

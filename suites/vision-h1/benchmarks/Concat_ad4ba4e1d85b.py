"""Concat alone: `python Concat_ad4ba4e1d85b.py [--threads N] [--json]`.

Benchmark ad4ba4e1d85bb95c55e5a728164a42d8435a6205982d9c782ad6a9938b968e5e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad4ba4e1d85bb95c55e5a728164a42d8435a6205982d9c782ad6a9938b968e5e', SUITE, sys.argv[1:]))

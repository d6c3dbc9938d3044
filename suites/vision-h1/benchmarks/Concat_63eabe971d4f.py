"""Concat alone: `python Concat_63eabe971d4f.py [--threads N] [--json]`.

Benchmark 63eabe971d4f4052c65d63f8cf37ffafccaa90c1cacdc1f5d948d7ba38f9feff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('63eabe971d4f4052c65d63f8cf37ffafccaa90c1cacdc1f5d948d7ba38f9feff', SUITE, sys.argv[1:]))

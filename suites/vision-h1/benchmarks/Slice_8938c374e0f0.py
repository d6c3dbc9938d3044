"""Slice alone: `python Slice_8938c374e0f0.py [--threads N] [--json]`.

Benchmark 8938c374e0f093c26f200c3a3180dccd24f67d5396bbc5e711fbff945ba09a94,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8938c374e0f093c26f200c3a3180dccd24f67d5396bbc5e711fbff945ba09a94', SUITE, sys.argv[1:]))

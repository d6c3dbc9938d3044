"""Softmax alone: `python Softmax_0055da9856cd.py [--threads N] [--json]`.

Benchmark 0055da9856cda8083104db7351218ea17f8b7862c7bcd366920bdf84b21c214c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0055da9856cda8083104db7351218ea17f8b7862c7bcd366920bdf84b21c214c', SUITE, sys.argv[1:]))

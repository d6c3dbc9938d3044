"""Concat alone: `python Concat_4278938d8f94.py [--threads N] [--json]`.

Benchmark 4278938d8f94ac71d34e925f2ab5d2fb820504caf49d345dceb9d5aa38d60230,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4278938d8f94ac71d34e925f2ab5d2fb820504caf49d345dceb9d5aa38d60230', SUITE, sys.argv[1:]))

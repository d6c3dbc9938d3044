"""Slice alone: `python Slice_de67ec3a100a.py [--threads N] [--json]`.

Benchmark de67ec3a100ab3aa11d2f6cedd7609695a903f77c73939bed2559baac06fe019,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('de67ec3a100ab3aa11d2f6cedd7609695a903f77c73939bed2559baac06fe019', SUITE, sys.argv[1:]))

"""Clip alone: `python Clip_f1d9e02b3c75.py [--threads N] [--json]`.

Benchmark f1d9e02b3c758b60e3eccfebf9106fbee2b838f6384589ac6ff8689d33876bb9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1d9e02b3c758b60e3eccfebf9106fbee2b838f6384589ac6ff8689d33876bb9', SUITE, sys.argv[1:]))

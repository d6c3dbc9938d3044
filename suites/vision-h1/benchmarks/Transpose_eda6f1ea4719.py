"""Transpose alone: `python Transpose_eda6f1ea4719.py [--threads N] [--json]`.

Benchmark eda6f1ea4719be3af2ea308c4a872f7cf8b4f7c6a616ed62a2de62883286a796,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eda6f1ea4719be3af2ea308c4a872f7cf8b4f7c6a616ed62a2de62883286a796', SUITE, sys.argv[1:]))

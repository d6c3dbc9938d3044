"""Transpose alone: `python Transpose_c25e1e987354.py [--threads N] [--json]`.

Benchmark c25e1e98735407de349021d29b84852ca625a0d465a6ad5cb1eb2d40cb575a16,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c25e1e98735407de349021d29b84852ca625a0d465a6ad5cb1eb2d40cb575a16', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_bcc9ba44d7fc.py [--threads N] [--json]`.

Benchmark bcc9ba44d7fc33d2998cd49472ea5ecf98bd514ae29c4503a742603a1cb01ff9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bcc9ba44d7fc33d2998cd49472ea5ecf98bd514ae29c4503a742603a1cb01ff9', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_9dba24e93f98.py [--threads N] [--json]`.

Benchmark 9dba24e93f980bc04b133a52296fb7d198dd40998df261606a0e229691c035dd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9dba24e93f980bc04b133a52296fb7d198dd40998df261606a0e229691c035dd', SUITE, sys.argv[1:]))

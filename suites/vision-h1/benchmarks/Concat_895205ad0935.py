"""Concat alone: `python Concat_895205ad0935.py [--threads N] [--json]`.

Benchmark 895205ad093572c863f70776567b29abe2fa0a32ae3e3af02421541950cd0e7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('895205ad093572c863f70776567b29abe2fa0a32ae3e3af02421541950cd0e7a', SUITE, sys.argv[1:]))

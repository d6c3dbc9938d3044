"""Resize alone: `python Resize_706dc98f2e77.py [--threads N] [--json]`.

Benchmark 706dc98f2e77fe13c785601b12c9084b2da09b7e8d6659278494a396b1956249,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('706dc98f2e77fe13c785601b12c9084b2da09b7e8d6659278494a396b1956249', SUITE, sys.argv[1:]))

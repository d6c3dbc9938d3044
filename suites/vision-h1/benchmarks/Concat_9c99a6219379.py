"""Concat alone: `python Concat_9c99a6219379.py [--threads N] [--json]`.

Benchmark 9c99a62193797d0c78a5cb394ebbfcca38a3a70fef34aa00a4b9709377a85eab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c99a62193797d0c78a5cb394ebbfcca38a3a70fef34aa00a4b9709377a85eab', SUITE, sys.argv[1:]))

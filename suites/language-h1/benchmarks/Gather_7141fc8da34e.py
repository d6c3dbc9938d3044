"""Gather alone: `python Gather_7141fc8da34e.py [--threads N] [--json]`.

Benchmark 7141fc8da34ed6cbc39900c599ed2aefb8ff2aa7bb33d9bb6b469c285e387ae3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7141fc8da34ed6cbc39900c599ed2aefb8ff2aa7bb33d9bb6b469c285e387ae3', SUITE, sys.argv[1:]))

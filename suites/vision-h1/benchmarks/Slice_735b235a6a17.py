"""Slice alone: `python Slice_735b235a6a17.py [--threads N] [--json]`.

Benchmark 735b235a6a174685d2076c983d68c1a6c7452088c8cfd3c08a2e3e214fec9a75,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('735b235a6a174685d2076c983d68c1a6c7452088c8cfd3c08a2e3e214fec9a75', SUITE, sys.argv[1:]))

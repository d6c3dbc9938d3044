"""Concat alone: `python Concat_182554c09436.py [--threads N] [--json]`.

Benchmark 182554c0943634542e924c6fec3015790e4bbb8d92396e60766a9238b5da92f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('182554c0943634542e924c6fec3015790e4bbb8d92396e60766a9238b5da92f2', SUITE, sys.argv[1:]))

"""Gather alone: `python Gather_73d04a40ddd9.py [--threads N] [--json]`.

Benchmark 73d04a40ddd95fb3b7dd467a1fe1ce61a4206992e3b4d56ea3f9972ea9bd66f6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('73d04a40ddd95fb3b7dd467a1fe1ce61a4206992e3b4d56ea3f9972ea9bd66f6', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_b0ebabc6b8d3.py [--threads N] [--json]`.

Benchmark b0ebabc6b8d3fb884897306071632d0182a1e5d54fbbf794f6ef44ce88c0bd3f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b0ebabc6b8d3fb884897306071632d0182a1e5d54fbbf794f6ef44ce88c0bd3f', SUITE, sys.argv[1:]))

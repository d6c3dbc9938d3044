"""Transpose alone: `python Transpose_e724cd5e24e9.py [--threads N] [--json]`.

Benchmark e724cd5e24e935a8b24ba9f919bfd7d4b5e32524e9d289fe25a45892f9f26e0a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e724cd5e24e935a8b24ba9f919bfd7d4b5e32524e9d289fe25a45892f9f26e0a', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_b92730d9f5ab.py [--threads N] [--json]`.

Benchmark b92730d9f5ab0641f3a57a8bb9bb8fd07f03f21a9f91229dd76efe8046ed82b8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b92730d9f5ab0641f3a57a8bb9bb8fd07f03f21a9f91229dd76efe8046ed82b8', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_58f04f061a9a.py [--threads N] [--json]`.

Benchmark 58f04f061a9a2deb18db3dc15100619dfd96bbba35d07a3060045eaed94208af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('58f04f061a9a2deb18db3dc15100619dfd96bbba35d07a3060045eaed94208af', SUITE, sys.argv[1:]))

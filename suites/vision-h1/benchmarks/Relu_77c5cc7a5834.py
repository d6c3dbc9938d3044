"""Relu alone: `python Relu_77c5cc7a5834.py [--threads N] [--json]`.

Benchmark 77c5cc7a5834c6aa6a48796b019c01ba63c1da1b04835ebe880213f9faf967c2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('77c5cc7a5834c6aa6a48796b019c01ba63c1da1b04835ebe880213f9faf967c2', SUITE, sys.argv[1:]))

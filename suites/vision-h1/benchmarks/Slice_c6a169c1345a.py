"""Slice alone: `python Slice_c6a169c1345a.py [--threads N] [--json]`.

Benchmark c6a169c1345a267261572b1c8819563ab2fd0b7c7209a0c59ac7a40d52477512,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c6a169c1345a267261572b1c8819563ab2fd0b7c7209a0c59ac7a40d52477512', SUITE, sys.argv[1:]))

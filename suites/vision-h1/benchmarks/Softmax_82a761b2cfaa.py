"""Softmax alone: `python Softmax_82a761b2cfaa.py [--threads N] [--json]`.

Benchmark 82a761b2cfaab2028ba7af3c9350bf2045747f944e8d64de01d4420c9c5094e7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('82a761b2cfaab2028ba7af3c9350bf2045747f944e8d64de01d4420c9c5094e7', SUITE, sys.argv[1:]))

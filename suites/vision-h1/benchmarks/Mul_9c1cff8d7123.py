"""Mul alone: `python Mul_9c1cff8d7123.py [--threads N] [--json]`.

Benchmark 9c1cff8d7123a8067365da91ed306a40b0f1b2505b8f3be29fe88bba79cd2d55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c1cff8d7123a8067365da91ed306a40b0f1b2505b8f3be29fe88bba79cd2d55', SUITE, sys.argv[1:]))

"""Split alone: `python Split_54705ca1ab2a.py [--threads N] [--json]`.

Benchmark 54705ca1ab2ad03254e7f8f3cc6539bd7684f0518df03d67b2df2e303a48ab4d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('54705ca1ab2ad03254e7f8f3cc6539bd7684f0518df03d67b2df2e303a48ab4d', SUITE, sys.argv[1:]))

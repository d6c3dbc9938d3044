"""Transpose alone: `python Transpose_2433c65ac5a8.py [--threads N] [--json]`.

Benchmark 2433c65ac5a814dedc577f6b1bc1f1c5b8bb3a097f197bb448a46bbb292b40bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2433c65ac5a814dedc577f6b1bc1f1c5b8bb3a097f197bb448a46bbb292b40bc', SUITE, sys.argv[1:]))

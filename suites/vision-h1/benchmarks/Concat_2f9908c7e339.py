"""Concat alone: `python Concat_2f9908c7e339.py [--threads N] [--json]`.

Benchmark 2f9908c7e339f1264e2c59e62345ccc9ac5938252cc9d06e86dc1bc1a341ad5f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f9908c7e339f1264e2c59e62345ccc9ac5938252cc9d06e86dc1bc1a341ad5f', SUITE, sys.argv[1:]))

"""Gather alone: `python Gather_d70b4f385530.py [--threads N] [--json]`.

Benchmark d70b4f385530b1b92d4820f8e39f7c401576b376700b907dfeb19cae31ff556d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d70b4f385530b1b92d4820f8e39f7c401576b376700b907dfeb19cae31ff556d', SUITE, sys.argv[1:]))

"""ReduceSum alone: `python ReduceSum_6b887c1b1b79.py [--threads N] [--json]`.

Benchmark 6b887c1b1b792a1cc7a4459b83910c5cc7b9c4937f6832e85074503e6a443bb8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b887c1b1b792a1cc7a4459b83910c5cc7b9c4937f6832e85074503e6a443bb8', SUITE, sys.argv[1:]))

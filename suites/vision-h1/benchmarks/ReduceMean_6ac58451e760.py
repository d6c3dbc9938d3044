"""ReduceMean alone: `python ReduceMean_6ac58451e760.py [--threads N] [--json]`.

Benchmark 6ac58451e760800e421033ff0f7041a7c4d5eb9624c591c9c45805244293d08e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ac58451e760800e421033ff0f7041a7c4d5eb9624c591c9c45805244293d08e', SUITE, sys.argv[1:]))

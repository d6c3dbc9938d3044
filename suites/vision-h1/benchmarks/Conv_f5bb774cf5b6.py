"""Conv alone: `python Conv_f5bb774cf5b6.py [--threads N] [--json]`.

Benchmark f5bb774cf5b6abee8afd270db9d7e9f177e1741049eb9a83f248ea430b8ebd3a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5bb774cf5b6abee8afd270db9d7e9f177e1741049eb9a83f248ea430b8ebd3a', SUITE, sys.argv[1:]))

"""AveragePool alone: `python AveragePool_f1417d58ddd9.py [--threads N] [--json]`.

Benchmark f1417d58ddd9d16c20f5093f4bfa506a62a9544f288fb5b967b095aadd5c1b1e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1417d58ddd9d16c20f5093f4bfa506a62a9544f288fb5b967b095aadd5c1b1e', SUITE, sys.argv[1:]))

"""Split alone: `python Split_5991e5002548.py [--threads N] [--json]`.

Benchmark 5991e500254864536c85ef10382a328d0c8bb851af9f2a8b49240d76d7d7013f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5991e500254864536c85ef10382a328d0c8bb851af9f2a8b49240d76d7d7013f', SUITE, sys.argv[1:]))

"""Split alone: `python Split_b9a825de4521.py [--threads N] [--json]`.

Benchmark b9a825de4521b122f1ed30eda4fb17f0bca75e81db92331938792b1e7edb8b78,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b9a825de4521b122f1ed30eda4fb17f0bca75e81db92331938792b1e7edb8b78', SUITE, sys.argv[1:]))

"""MaxPool alone: `python MaxPool_b41a6f175e7d.py [--threads N] [--json]`.

Benchmark b41a6f175e7dde81d9bb57a5f0848a6adfe7de151a16ea8f6e2cbca4e569137a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b41a6f175e7dde81d9bb57a5f0848a6adfe7de151a16ea8f6e2cbca4e569137a', SUITE, sys.argv[1:]))

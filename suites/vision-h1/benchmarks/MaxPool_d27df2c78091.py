"""MaxPool alone: `python MaxPool_d27df2c78091.py [--threads N] [--json]`.

Benchmark d27df2c780913bd89a005dcd2fbdfcf49d7016371577e6cb33f1d5aedbee065f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d27df2c780913bd89a005dcd2fbdfcf49d7016371577e6cb33f1d5aedbee065f', SUITE, sys.argv[1:]))

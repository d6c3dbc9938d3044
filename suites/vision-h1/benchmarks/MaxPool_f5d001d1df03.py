"""MaxPool alone: `python MaxPool_f5d001d1df03.py [--threads N] [--json]`.

Benchmark f5d001d1df0357ddc5418214dc8d6783e4a6577283639585939dc881368ff3e8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5d001d1df0357ddc5418214dc8d6783e4a6577283639585939dc881368ff3e8', SUITE, sys.argv[1:]))

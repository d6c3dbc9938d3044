"""GlobalAveragePool alone: `python GlobalAveragePool_f13f98466b72.py [--threads N] [--json]`.

Benchmark f13f98466b72eea4f2b693047be1e90adfbed16365572f8c185c5a8fbb6e47cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f13f98466b72eea4f2b693047be1e90adfbed16365572f8c185c5a8fbb6e47cc', SUITE, sys.argv[1:]))

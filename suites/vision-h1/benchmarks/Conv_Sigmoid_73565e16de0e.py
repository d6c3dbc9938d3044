"""Conv_Sigmoid alone: `python Conv_Sigmoid_73565e16de0e.py [--threads N] [--json]`.

Benchmark 73565e16de0eeab2f61092c1035671c467680dd60ae62a6c15ad5e694a3f17b1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('73565e16de0eeab2f61092c1035671c467680dd60ae62a6c15ad5e694a3f17b1', SUITE, sys.argv[1:]))

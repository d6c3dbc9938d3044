"""Conv alone: `python Conv_b55ad6aa322f.py [--threads N] [--json]`.

Benchmark b55ad6aa322f368b6c386ec60d5bd28ad2beeec746115b2233bf31becd14acef,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b55ad6aa322f368b6c386ec60d5bd28ad2beeec746115b2233bf31becd14acef', SUITE, sys.argv[1:]))

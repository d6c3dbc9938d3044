"""ReduceMean alone: `python ReduceMean_752430463a84.py [--threads N] [--json]`.

Benchmark 752430463a847ed3714ec307d16f3b1bfb327346d3c6f9f499b74412845552a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('752430463a847ed3714ec307d16f3b1bfb327346d3c6f9f499b74412845552a9', SUITE, sys.argv[1:]))

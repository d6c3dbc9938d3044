"""Conv_Relu alone: `python Conv_Relu_63a268b37a93.py [--threads N] [--json]`.

Benchmark 63a268b37a9320dedf7e2d1ecf78464fc1e7a81a31a211edf7df9aca82cc839c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('63a268b37a9320dedf7e2d1ecf78464fc1e7a81a31a211edf7df9aca82cc839c', SUITE, sys.argv[1:]))

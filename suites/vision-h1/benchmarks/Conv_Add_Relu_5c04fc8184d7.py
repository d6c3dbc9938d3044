"""Conv_Add_Relu alone: `python Conv_Add_Relu_5c04fc8184d7.py [--threads N] [--json]`.

Benchmark 5c04fc8184d73e93972e9603f80c04837cd9445ec3101b3698809576499e5179,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5c04fc8184d73e93972e9603f80c04837cd9445ec3101b3698809576499e5179', SUITE, sys.argv[1:]))

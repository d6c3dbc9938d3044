"""Conv alone: `python Conv_7dd6cf4022c7.py [--threads N] [--json]`.

Benchmark 7dd6cf4022c7ff1ab797c9c0ddbac1276802463b91a8bcd2fbb41774cf104e01,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7dd6cf4022c7ff1ab797c9c0ddbac1276802463b91a8bcd2fbb41774cf104e01', SUITE, sys.argv[1:]))

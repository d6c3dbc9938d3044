"""Conv_HardSwish_ReduceMean alone: `python Conv_HardSwish_ReduceMean_1ba06c30d52c.py [--threads N] [--json]`.

Benchmark 1ba06c30d52c0d1ea694eec4e62ee8bf20a874f7b03e8d601ffd36614a27b0db,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1ba06c30d52c0d1ea694eec4e62ee8bf20a874f7b03e8d601ffd36614a27b0db', SUITE, sys.argv[1:]))

"""Conv alone: `python Conv_3f0a7ef11443.py [--threads N] [--json]`.

Benchmark 3f0a7ef114432a33f1373dd9a48e008d360ca9c8a935ef8ad0cc4b977335ac2c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3f0a7ef114432a33f1373dd9a48e008d360ca9c8a935ef8ad0cc4b977335ac2c', SUITE, sys.argv[1:]))

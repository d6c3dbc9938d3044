"""Conv_Relu alone: `python Conv_Relu_283e8c992c81.py [--threads N] [--json]`.

Benchmark 283e8c992c81e9451f219760947f5951a25f2693e49dea53297c714d04fae892,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('283e8c992c81e9451f219760947f5951a25f2693e49dea53297c714d04fae892', SUITE, sys.argv[1:]))

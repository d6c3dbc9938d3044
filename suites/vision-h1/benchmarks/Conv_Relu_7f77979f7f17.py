"""Conv_Relu alone: `python Conv_Relu_7f77979f7f17.py [--threads N] [--json]`.

Benchmark 7f77979f7f17a201acc578a275fbe02a494bb2de6874495d8fb7e2e92e913a14,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7f77979f7f17a201acc578a275fbe02a494bb2de6874495d8fb7e2e92e913a14', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_1a759b9084be.py [--threads N] [--json]`.

Benchmark 1a759b9084be5cac93f2db3a4263f455d108153b1382e3249fa661713a476d37,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1a759b9084be5cac93f2db3a4263f455d108153b1382e3249fa661713a476d37', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_ebda35604000.py [--threads N] [--json]`.

Benchmark ebda35604000cb4c0e3686b88b135e2f3ec0a0e2aaef82e1119bb92d2c18e497,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ebda35604000cb4c0e3686b88b135e2f3ec0a0e2aaef82e1119bb92d2c18e497', SUITE, sys.argv[1:]))

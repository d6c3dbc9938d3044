"""Conv_Relu alone: `python Conv_Relu_b0c3237c34f6.py [--threads N] [--json]`.

Benchmark b0c3237c34f6a2485d061d40779a7ecfeae9f46f578f4590509314a17895a608,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b0c3237c34f6a2485d061d40779a7ecfeae9f46f578f4590509314a17895a608', SUITE, sys.argv[1:]))

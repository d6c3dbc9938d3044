"""Conv_Add_Relu alone: `python Conv_Add_Relu_2356a0977947.py [--threads N] [--json]`.

Benchmark 2356a0977947be5e8572ac32f6cdf2b1b49d5fc34fcd7afaf3fbf533e5f18c98,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2356a0977947be5e8572ac32f6cdf2b1b49d5fc34fcd7afaf3fbf533e5f18c98', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_19e4e8a871f6.py [--threads N] [--json]`.

Benchmark 19e4e8a871f6140e8867d8bb2358b05e8ffc92b880e7a3aca6469c8b47e505f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19e4e8a871f6140e8867d8bb2358b05e8ffc92b880e7a3aca6469c8b47e505f1', SUITE, sys.argv[1:]))

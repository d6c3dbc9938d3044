"""Conv_Relu alone: `python Conv_Relu_f291f2f4e68e.py [--threads N] [--json]`.

Benchmark f291f2f4e68ef469b90f4c77d6c5c64edf10c534d5377e02838077d86e67a969,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f291f2f4e68ef469b90f4c77d6c5c64edf10c534d5377e02838077d86e67a969', SUITE, sys.argv[1:]))

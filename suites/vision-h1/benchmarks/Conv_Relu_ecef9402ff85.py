"""Conv_Relu alone: `python Conv_Relu_ecef9402ff85.py [--threads N] [--json]`.

Benchmark ecef9402ff855de4b0b6f125bc2b1ea962b382b333d145ba8885a7b6d2b8fdbc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ecef9402ff855de4b0b6f125bc2b1ea962b382b333d145ba8885a7b6d2b8fdbc', SUITE, sys.argv[1:]))

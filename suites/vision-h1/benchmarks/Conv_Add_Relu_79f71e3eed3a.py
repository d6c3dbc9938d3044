"""Conv_Add_Relu alone: `python Conv_Add_Relu_79f71e3eed3a.py [--threads N] [--json]`.

Benchmark 79f71e3eed3a82f38ad1b0bf74239f81ce064eb13cb92e8d7eb3e1ad278aa5a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('79f71e3eed3a82f38ad1b0bf74239f81ce064eb13cb92e8d7eb3e1ad278aa5a9', SUITE, sys.argv[1:]))

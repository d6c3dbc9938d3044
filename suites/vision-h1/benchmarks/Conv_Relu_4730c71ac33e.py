"""Conv_Relu alone: `python Conv_Relu_4730c71ac33e.py [--threads N] [--json]`.

Benchmark 4730c71ac33e856f5f02dfea31c4fb3af4d8ea9d7d8c78e594467f33760c1fc3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4730c71ac33e856f5f02dfea31c4fb3af4d8ea9d7d8c78e594467f33760c1fc3', SUITE, sys.argv[1:]))

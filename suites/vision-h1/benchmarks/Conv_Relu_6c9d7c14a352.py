"""Conv_Relu alone: `python Conv_Relu_6c9d7c14a352.py [--threads N] [--json]`.

Benchmark 6c9d7c14a3528ebfac8cbbf8d788a4592ebe3d6378cf8355a3f6e4e1eaa1ad72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c9d7c14a3528ebfac8cbbf8d788a4592ebe3d6378cf8355a3f6e4e1eaa1ad72', SUITE, sys.argv[1:]))

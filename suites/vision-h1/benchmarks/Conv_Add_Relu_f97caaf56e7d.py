"""Conv_Add_Relu alone: `python Conv_Add_Relu_f97caaf56e7d.py [--threads N] [--json]`.

Benchmark f97caaf56e7d63c3136ade4adf27861039c022162a4f4d74c592c5d5da9e3a42,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f97caaf56e7d63c3136ade4adf27861039c022162a4f4d74c592c5d5da9e3a42', SUITE, sys.argv[1:]))

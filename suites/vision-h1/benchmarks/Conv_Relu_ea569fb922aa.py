"""Conv_Relu alone: `python Conv_Relu_ea569fb922aa.py [--threads N] [--json]`.

Benchmark ea569fb922aa99bd67fed5af4c30c0bc9b269b09b719393e9b1f0820141c2364,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea569fb922aa99bd67fed5af4c30c0bc9b269b09b719393e9b1f0820141c2364', SUITE, sys.argv[1:]))

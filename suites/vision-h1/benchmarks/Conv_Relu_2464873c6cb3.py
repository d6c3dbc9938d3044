"""Conv_Relu alone: `python Conv_Relu_2464873c6cb3.py [--threads N] [--json]`.

Benchmark 2464873c6cb3980856080af41dcbbed762320bd056bff525926c7c8efb37d310,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2464873c6cb3980856080af41dcbbed762320bd056bff525926c7c8efb37d310', SUITE, sys.argv[1:]))

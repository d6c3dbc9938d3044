"""Conv_Relu alone: `python Conv_Relu_8f24984198e8.py [--threads N] [--json]`.

Benchmark 8f24984198e89ddaa14a3cc9dbbe79e1489e1ab1d002cb657b4e0a58a90d3570,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8f24984198e89ddaa14a3cc9dbbe79e1489e1ab1d002cb657b4e0a58a90d3570', SUITE, sys.argv[1:]))

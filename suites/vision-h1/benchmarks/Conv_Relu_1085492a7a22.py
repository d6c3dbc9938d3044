"""Conv_Relu alone: `python Conv_Relu_1085492a7a22.py [--threads N] [--json]`.

Benchmark 1085492a7a221d61a201615647127fb97743e39d69140a56a07532327efe181c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1085492a7a221d61a201615647127fb97743e39d69140a56a07532327efe181c', SUITE, sys.argv[1:]))

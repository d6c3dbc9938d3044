"""Conv_Relu alone: `python Conv_Relu_3ab095ede36f.py [--threads N] [--json]`.

Benchmark 3ab095ede36f4fb8bbb5d7b853346784dc997105ff246f02367802b5bf9629eb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ab095ede36f4fb8bbb5d7b853346784dc997105ff246f02367802b5bf9629eb', SUITE, sys.argv[1:]))

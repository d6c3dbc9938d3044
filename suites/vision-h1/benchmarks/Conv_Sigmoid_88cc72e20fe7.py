"""Conv_Sigmoid alone: `python Conv_Sigmoid_88cc72e20fe7.py [--threads N] [--json]`.

Benchmark 88cc72e20fe72cd32abfdd133779759a71589c6e5e63284902651254fdc726bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88cc72e20fe72cd32abfdd133779759a71589c6e5e63284902651254fdc726bc', SUITE, sys.argv[1:]))

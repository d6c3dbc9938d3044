"""Conv_Relu alone: `python Conv_Relu_f03a89296d43.py [--threads N] [--json]`.

Benchmark f03a89296d43fbdfd7cad09b58b42ac6bf04c1c1d4dc723c0832c266dd64b7c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f03a89296d43fbdfd7cad09b58b42ac6bf04c1c1d4dc723c0832c266dd64b7c3', SUITE, sys.argv[1:]))

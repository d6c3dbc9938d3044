"""Conv_Relu alone: `python Conv_Relu_77e78028bdea.py [--threads N] [--json]`.

Benchmark 77e78028bdea209be608697f5c0724ea67a7e935c9b13ed994f68f63ff67b9d9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('77e78028bdea209be608697f5c0724ea67a7e935c9b13ed994f68f63ff67b9d9', SUITE, sys.argv[1:]))

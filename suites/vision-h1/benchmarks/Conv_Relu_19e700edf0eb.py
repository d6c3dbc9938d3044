"""Conv_Relu alone: `python Conv_Relu_19e700edf0eb.py [--threads N] [--json]`.

Benchmark 19e700edf0eb09342d36980930895be7339ad8f8ac0edd2cf99d736017dfc5ff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19e700edf0eb09342d36980930895be7339ad8f8ac0edd2cf99d736017dfc5ff', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_05f6de196748.py [--threads N] [--json]`.

Benchmark 05f6de1967486841a0332e4ea91bcfd07cf559b13c9932fb2ff50d2791053a2c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('05f6de1967486841a0332e4ea91bcfd07cf559b13c9932fb2ff50d2791053a2c', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_aad3aafbc4b9.py [--threads N] [--json]`.

Benchmark aad3aafbc4b9944872c56d9958b061742248c20b1ee5bb84d640265e145445a5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aad3aafbc4b9944872c56d9958b061742248c20b1ee5bb84d640265e145445a5', SUITE, sys.argv[1:]))

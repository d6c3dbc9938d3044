"""Conv_Relu alone: `python Conv_Relu_97d871313664.py [--threads N] [--json]`.

Benchmark 97d871313664aed30a056c6f77dee26491c458fc88825ab99183cf3df35425ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('97d871313664aed30a056c6f77dee26491c458fc88825ab99183cf3df35425ca', SUITE, sys.argv[1:]))

"""MatMul_Add alone: `python MatMul_Add_ca551505b121.py [--threads N] [--json]`.

Benchmark ca551505b121cc6e8e0945deec7c92aa3c53ed3f4d5ffa6316ead4995e8bf1fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca551505b121cc6e8e0945deec7c92aa3c53ed3f4d5ffa6316ead4995e8bf1fb', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_c840f90989a8.py [--threads N] [--json]`.

Benchmark c840f90989a81011953be6c33a102cea2a1ab0dfa9606046ba2ed1ebfaaa32ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c840f90989a81011953be6c33a102cea2a1ab0dfa9606046ba2ed1ebfaaa32ea', SUITE, sys.argv[1:]))

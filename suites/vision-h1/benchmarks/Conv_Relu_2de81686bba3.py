"""Conv_Relu alone: `python Conv_Relu_2de81686bba3.py [--threads N] [--json]`.

Benchmark 2de81686bba30079d123764e4d6461170d27688e483cc8f0b4259c1529ae06cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2de81686bba30079d123764e4d6461170d27688e483cc8f0b4259c1529ae06cf', SUITE, sys.argv[1:]))

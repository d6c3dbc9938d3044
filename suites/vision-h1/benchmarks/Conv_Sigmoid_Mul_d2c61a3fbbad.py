"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_d2c61a3fbbad.py [--threads N] [--json]`.

Benchmark d2c61a3fbbad4b7ec325e1d77bf9be3363d8c6f05d23ce0f4e48871f8042be24,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d2c61a3fbbad4b7ec325e1d77bf9be3363d8c6f05d23ce0f4e48871f8042be24', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_d732f39cf69c.py [--threads N] [--json]`.

Benchmark d732f39cf69c0f6835dd16a4f32ed218c68d1739fc4f9dad3b438429bf101e3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d732f39cf69c0f6835dd16a4f32ed218c68d1739fc4f9dad3b438429bf101e3c', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_b3836bcf5979.py [--threads N] [--json]`.

Benchmark b3836bcf5979eb9b49dc9f972f8860694f18b1fff0cdd9985a44c6441bc5db0f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b3836bcf5979eb9b49dc9f972f8860694f18b1fff0cdd9985a44c6441bc5db0f', SUITE, sys.argv[1:]))

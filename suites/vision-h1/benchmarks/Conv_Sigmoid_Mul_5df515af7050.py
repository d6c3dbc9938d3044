"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_5df515af7050.py [--threads N] [--json]`.

Benchmark 5df515af7050215f6bcebf8f9332e6e94dc90e906d431d99d18b8bf738b69dd9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5df515af7050215f6bcebf8f9332e6e94dc90e906d431d99d18b8bf738b69dd9', SUITE, sys.argv[1:]))

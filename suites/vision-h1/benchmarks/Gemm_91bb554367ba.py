"""Gemm alone: `python Gemm_91bb554367ba.py [--threads N] [--json]`.

Benchmark 91bb554367ba009191b2ced051208226b0f083e8eaa393ff6a8adda45bad14cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('91bb554367ba009191b2ced051208226b0f083e8eaa393ff6a8adda45bad14cf', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_2404db8664bd.py [--threads N] [--json]`.

Benchmark 2404db8664bd0aee47fd44bc384252a42669827da8ee509690dc6c2727b56549,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2404db8664bd0aee47fd44bc384252a42669827da8ee509690dc6c2727b56549', SUITE, sys.argv[1:]))

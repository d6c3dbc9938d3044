"""Conv_Relu alone: `python Conv_Relu_0b5600327884.py [--threads N] [--json]`.

Benchmark 0b560032788429dee046ddb7a4aa77f072af538b089b81ff05413c783acfd27b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0b560032788429dee046ddb7a4aa77f072af538b089b81ff05413c783acfd27b', SUITE, sys.argv[1:]))

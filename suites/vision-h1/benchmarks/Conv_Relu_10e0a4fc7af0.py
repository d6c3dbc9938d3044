"""Conv_Relu alone: `python Conv_Relu_10e0a4fc7af0.py [--threads N] [--json]`.

Benchmark 10e0a4fc7af056f885e289522d07d2aedfd4587231f4d0ff2bbf50706079f238,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('10e0a4fc7af056f885e289522d07d2aedfd4587231f4d0ff2bbf50706079f238', SUITE, sys.argv[1:]))

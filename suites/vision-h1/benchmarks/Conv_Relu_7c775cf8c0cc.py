"""Conv_Relu alone: `python Conv_Relu_7c775cf8c0cc.py [--threads N] [--json]`.

Benchmark 7c775cf8c0cc4dc67b3bfae921bc2c4acc6e890e4f262eeaf722a549e925d164,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7c775cf8c0cc4dc67b3bfae921bc2c4acc6e890e4f262eeaf722a549e925d164', SUITE, sys.argv[1:]))

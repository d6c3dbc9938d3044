"""Conv_Relu alone: `python Conv_Relu_6f68f4f6fab7.py [--threads N] [--json]`.

Benchmark 6f68f4f6fab74177533e3b13a6ca56efaacad3eac3f7d176584b723137d34190,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f68f4f6fab74177533e3b13a6ca56efaacad3eac3f7d176584b723137d34190', SUITE, sys.argv[1:]))

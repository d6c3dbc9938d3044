"""Conv_Relu alone: `python Conv_Relu_f4f40997808d.py [--threads N] [--json]`.

Benchmark f4f40997808d564a1cb53430466dc90a07fbceb3510d1c86584b1c26e1138b9f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4f40997808d564a1cb53430466dc90a07fbceb3510d1c86584b1c26e1138b9f', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_d07edb5220dc.py [--threads N] [--json]`.

Benchmark d07edb5220dc1e57ee1b8d9be71094ca8b36a59a12ce801b7700564cdcf1e8e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d07edb5220dc1e57ee1b8d9be71094ca8b36a59a12ce801b7700564cdcf1e8e4', SUITE, sys.argv[1:]))

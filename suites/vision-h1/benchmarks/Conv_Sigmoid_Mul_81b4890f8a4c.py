"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_81b4890f8a4c.py [--threads N] [--json]`.

Benchmark 81b4890f8a4cb38d0e7da11277317742651cc455185722b76f061302977f7910,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('81b4890f8a4cb38d0e7da11277317742651cc455185722b76f061302977f7910', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_9631205cd9ba.py [--threads N] [--json]`.

Benchmark 9631205cd9baabed4c9bfa9f582cad77df1c1a887b9b743bb04aea73a76fe7a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9631205cd9baabed4c9bfa9f582cad77df1c1a887b9b743bb04aea73a76fe7a9', SUITE, sys.argv[1:]))

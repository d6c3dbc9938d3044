"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_812a70d9075b.py [--threads N] [--json]`.

Benchmark 812a70d9075b3fb42a7796e067d04346ebb308aeceab6577ce734b69daa92b49,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('812a70d9075b3fb42a7796e067d04346ebb308aeceab6577ce734b69daa92b49', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_f2ade74a778a.py [--threads N] [--json]`.

Benchmark f2ade74a778a30862bdd19b03508e08b3dd7c1e1774148fc670eafe445645ea8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f2ade74a778a30862bdd19b03508e08b3dd7c1e1774148fc670eafe445645ea8', SUITE, sys.argv[1:]))

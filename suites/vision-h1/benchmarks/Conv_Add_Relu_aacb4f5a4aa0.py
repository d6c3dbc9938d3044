"""Conv_Add_Relu alone: `python Conv_Add_Relu_aacb4f5a4aa0.py [--threads N] [--json]`.

Benchmark aacb4f5a4aa04c2fdce7ba757650421d52eb80899beba5fa8e5dd330387d3b45,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aacb4f5a4aa04c2fdce7ba757650421d52eb80899beba5fa8e5dd330387d3b45', SUITE, sys.argv[1:]))

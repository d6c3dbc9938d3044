"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_ed57027290ba.py [--threads N] [--json]`.

Benchmark ed57027290bac3aacf25dc67d68d942f370025c03b15703fdfb7035862a8e750,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ed57027290bac3aacf25dc67d68d942f370025c03b15703fdfb7035862a8e750', SUITE, sys.argv[1:]))

"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_cbbe8ad915ec.py [--threads N] [--json]`.

Benchmark cbbe8ad915ec0bd9785b949a05f19652e001c95227a49eff53820002d80b21f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cbbe8ad915ec0bd9785b949a05f19652e001c95227a49eff53820002d80b21f2', SUITE, sys.argv[1:]))

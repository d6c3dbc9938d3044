"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_7674d1d3f47f.py [--threads N] [--json]`.

Benchmark 7674d1d3f47fc85116cf604f145a3088467225bc677c511cab405cf0153e7382,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7674d1d3f47fc85116cf604f145a3088467225bc677c511cab405cf0153e7382', SUITE, sys.argv[1:]))

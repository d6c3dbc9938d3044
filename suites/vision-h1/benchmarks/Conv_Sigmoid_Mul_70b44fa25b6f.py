"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_70b44fa25b6f.py [--threads N] [--json]`.

Benchmark 70b44fa25b6f30e42bc451bcf3220decd3d3302ff9bc3b8cf66f9fe76fc8708a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('70b44fa25b6f30e42bc451bcf3220decd3d3302ff9bc3b8cf66f9fe76fc8708a', SUITE, sys.argv[1:]))

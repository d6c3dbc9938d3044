"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_edbe75e152fa.py [--threads N] [--json]`.

Benchmark edbe75e152fa297e2ed5ad2d7509a8b3b2cdf456886493d6af5c3933aff498a6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('edbe75e152fa297e2ed5ad2d7509a8b3b2cdf456886493d6af5c3933aff498a6', SUITE, sys.argv[1:]))

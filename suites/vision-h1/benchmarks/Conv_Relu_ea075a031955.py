"""Conv_Relu alone: `python Conv_Relu_ea075a031955.py [--threads N] [--json]`.

Benchmark ea075a0319555779575a489cd2a09a35e1f9ca241a995afeaf0951246ce2dca2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea075a0319555779575a489cd2a09a35e1f9ca241a995afeaf0951246ce2dca2', SUITE, sys.argv[1:]))

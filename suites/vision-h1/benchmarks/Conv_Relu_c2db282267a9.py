"""Conv_Relu alone: `python Conv_Relu_c2db282267a9.py [--threads N] [--json]`.

Benchmark c2db282267a922f1923907ff97b09bcb69abc02ca0c1aa91927a24bb2e88b857,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c2db282267a922f1923907ff97b09bcb69abc02ca0c1aa91927a24bb2e88b857', SUITE, sys.argv[1:]))

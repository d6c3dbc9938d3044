"""Conv_Relu alone: `python Conv_Relu_e32775e17206.py [--threads N] [--json]`.

Benchmark e32775e17206dda53e4e437f95be5a1d0cf04b483f7d54e7f81b0022b29de0d5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e32775e17206dda53e4e437f95be5a1d0cf04b483f7d54e7f81b0022b29de0d5', SUITE, sys.argv[1:]))

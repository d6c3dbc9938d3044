"""Conv_Relu alone: `python Conv_Relu_ee73333b37c1.py [--threads N] [--json]`.

Benchmark ee73333b37c179b3c2a04d9165fe599a9dcbcff44477765173b5a64d0168c61e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee73333b37c179b3c2a04d9165fe599a9dcbcff44477765173b5a64d0168c61e', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_024bd9b4e26e.py [--threads N] [--json]`.

Benchmark 024bd9b4e26ee74a25aff98b626f65cc90aa6c5a995b1dec842f1b8e909c53b6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('024bd9b4e26ee74a25aff98b626f65cc90aa6c5a995b1dec842f1b8e909c53b6', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_61b1ed51093e.py [--threads N] [--json]`.

Benchmark 61b1ed51093eae72e913c7a37414317e9d6166445f7f487a09b06f05dfeaf056,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('61b1ed51093eae72e913c7a37414317e9d6166445f7f487a09b06f05dfeaf056', SUITE, sys.argv[1:]))

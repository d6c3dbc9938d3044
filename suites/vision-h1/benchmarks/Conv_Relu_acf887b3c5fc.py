"""Conv_Relu alone: `python Conv_Relu_acf887b3c5fc.py [--threads N] [--json]`.

Benchmark acf887b3c5fc5ccd15988719dce342530c3d563f2567498bd92de0e62806c2fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('acf887b3c5fc5ccd15988719dce342530c3d563f2567498bd92de0e62806c2fb', SUITE, sys.argv[1:]))

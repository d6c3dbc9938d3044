"""Conv_Relu alone: `python Conv_Relu_65910105387e.py [--threads N] [--json]`.

Benchmark 65910105387ea3f51e4a1c6e396cc7bce6092bd1c112c29ba660bee88e848dd5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65910105387ea3f51e4a1c6e396cc7bce6092bd1c112c29ba660bee88e848dd5', SUITE, sys.argv[1:]))

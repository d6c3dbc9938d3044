"""Conv_Add_Relu alone: `python Conv_Add_Relu_ee92cb7ed1b3.py [--threads N] [--json]`.

Benchmark ee92cb7ed1b3ffca9e92e7fbb1d9e6786bba41383ac2281a4f74a84ec6953667,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee92cb7ed1b3ffca9e92e7fbb1d9e6786bba41383ac2281a4f74a84ec6953667', SUITE, sys.argv[1:]))

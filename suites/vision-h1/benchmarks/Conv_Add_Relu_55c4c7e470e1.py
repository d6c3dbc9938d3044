"""Conv_Add_Relu alone: `python Conv_Add_Relu_55c4c7e470e1.py [--threads N] [--json]`.

Benchmark 55c4c7e470e1946f914d93165f1671267ea6cbf44410dfa0e46966e3f8cf0110,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('55c4c7e470e1946f914d93165f1671267ea6cbf44410dfa0e46966e3f8cf0110', SUITE, sys.argv[1:]))

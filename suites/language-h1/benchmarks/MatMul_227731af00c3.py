"""MatMul alone: `python MatMul_227731af00c3.py [--threads N] [--json]`.

Benchmark 227731af00c32623d412b1da17afeb437a636957f2d0a4df1dfa26ac25b74c37,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('227731af00c32623d412b1da17afeb437a636957f2d0a4df1dfa26ac25b74c37', SUITE, sys.argv[1:]))

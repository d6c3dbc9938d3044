"""Conv_Relu alone: `python Conv_Relu_0494376d1690.py [--threads N] [--json]`.

Benchmark 0494376d16905faea245c020bd99462f3f4d202defa1bf3f7f3751067ee88e96,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0494376d16905faea245c020bd99462f3f4d202defa1bf3f7f3751067ee88e96', SUITE, sys.argv[1:]))

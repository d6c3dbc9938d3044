"""Conv_Relu alone: `python Conv_Relu_f5c3ede871a3.py [--threads N] [--json]`.

Benchmark f5c3ede871a30620e82cc8d6f7b9f2c279677faedfdbf64c7335fbec811d0cb7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5c3ede871a30620e82cc8d6f7b9f2c279677faedfdbf64c7335fbec811d0cb7', SUITE, sys.argv[1:]))

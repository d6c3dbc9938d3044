"""Conv_Add_Relu alone: `python Conv_Add_Relu_dc63c61a2a89.py [--threads N] [--json]`.

Benchmark dc63c61a2a89a7e3eb95925fac104839db3902fb449ec005d9b97622991158eb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dc63c61a2a89a7e3eb95925fac104839db3902fb449ec005d9b97622991158eb', SUITE, sys.argv[1:]))

"""Conv_Relu alone: `python Conv_Relu_3df2dbf0b443.py [--threads N] [--json]`.

Benchmark 3df2dbf0b443383a9bef3db0441df5b1ecc4559435dd132df7e0bf740ff8fccd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3df2dbf0b443383a9bef3db0441df5b1ecc4559435dd132df7e0bf740ff8fccd', SUITE, sys.argv[1:]))

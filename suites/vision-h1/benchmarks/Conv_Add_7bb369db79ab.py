"""Conv_Add alone: `python Conv_Add_7bb369db79ab.py [--threads N] [--json]`.

Benchmark 7bb369db79ab98cbf02b1ca1605765a9adda49ab7c7f947ccd67dad7a863ffd3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7bb369db79ab98cbf02b1ca1605765a9adda49ab7c7f947ccd67dad7a863ffd3', SUITE, sys.argv[1:]))

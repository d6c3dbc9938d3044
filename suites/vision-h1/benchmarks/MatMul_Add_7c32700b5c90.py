"""MatMul_Add alone: `python MatMul_Add_7c32700b5c90.py [--threads N] [--json]`.

Benchmark 7c32700b5c90986ffb5576e92bea537c3a3f7ee0d8d8f4a971733a7bdb1c3835,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7c32700b5c90986ffb5576e92bea537c3a3f7ee0d8d8f4a971733a7bdb1c3835', SUITE, sys.argv[1:]))

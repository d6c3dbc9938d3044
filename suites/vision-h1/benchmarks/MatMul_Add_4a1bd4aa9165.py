"""MatMul_Add alone: `python MatMul_Add_4a1bd4aa9165.py [--threads N] [--json]`.

Benchmark 4a1bd4aa9165e7c3f0a7a39a3a96ffd000ef8c55f2ca8025fa93bea5e08e9c72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4a1bd4aa9165e7c3f0a7a39a3a96ffd000ef8c55f2ca8025fa93bea5e08e9c72', SUITE, sys.argv[1:]))

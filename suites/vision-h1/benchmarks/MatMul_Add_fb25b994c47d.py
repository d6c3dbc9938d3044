"""MatMul_Add alone: `python MatMul_Add_fb25b994c47d.py [--threads N] [--json]`.

Benchmark fb25b994c47d14d4aed807e878d8444cb7311e8d5a223ff1b72af15bb57ffd62,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fb25b994c47d14d4aed807e878d8444cb7311e8d5a223ff1b72af15bb57ffd62', SUITE, sys.argv[1:]))

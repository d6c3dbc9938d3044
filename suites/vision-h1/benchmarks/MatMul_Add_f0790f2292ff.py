"""MatMul_Add alone: `python MatMul_Add_f0790f2292ff.py [--threads N] [--json]`.

Benchmark f0790f2292ffca25fd3370bec1b9ef670fd79d5ec2703d080bb0fa7ec4ba06a8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f0790f2292ffca25fd3370bec1b9ef670fd79d5ec2703d080bb0fa7ec4ba06a8', SUITE, sys.argv[1:]))

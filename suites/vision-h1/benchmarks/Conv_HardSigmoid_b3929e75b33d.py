"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_b3929e75b33d.py [--threads N] [--json]`.

Benchmark b3929e75b33d0168a95b33acc9e3f6bc2c820734c7b33d0083aa0ad86d76aaf2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b3929e75b33d0168a95b33acc9e3f6bc2c820734c7b33d0083aa0ad86d76aaf2', SUITE, sys.argv[1:]))

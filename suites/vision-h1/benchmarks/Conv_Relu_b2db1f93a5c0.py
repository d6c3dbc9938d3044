"""Conv_Relu alone: `python Conv_Relu_b2db1f93a5c0.py [--threads N] [--json]`.

Benchmark b2db1f93a5c0186343496fdf59f5da5baa1d54e4715f56a6521fe592aca3a9ac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b2db1f93a5c0186343496fdf59f5da5baa1d54e4715f56a6521fe592aca3a9ac', SUITE, sys.argv[1:]))

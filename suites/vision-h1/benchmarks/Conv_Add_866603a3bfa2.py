"""Conv_Add alone: `python Conv_Add_866603a3bfa2.py [--threads N] [--json]`.

Benchmark 866603a3bfa22c91dba8547ad88afe523558490892beb518386e46fa334e2df8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('866603a3bfa22c91dba8547ad88afe523558490892beb518386e46fa334e2df8', SUITE, sys.argv[1:]))

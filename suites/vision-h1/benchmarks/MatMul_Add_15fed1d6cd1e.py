"""MatMul_Add alone: `python MatMul_Add_15fed1d6cd1e.py [--threads N] [--json]`.

Benchmark 15fed1d6cd1e128530c39d9ea409d3baf6eae2f47caa77b8610792a3bb24c06a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('15fed1d6cd1e128530c39d9ea409d3baf6eae2f47caa77b8610792a3bb24c06a', SUITE, sys.argv[1:]))

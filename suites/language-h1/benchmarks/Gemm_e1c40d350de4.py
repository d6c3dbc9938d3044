"""Gemm alone: `python Gemm_e1c40d350de4.py [--threads N] [--json]`.

Benchmark e1c40d350de4250051932b53a5e03fffd3bd2b937bbee388d8742776d52f1e29,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e1c40d350de4250051932b53a5e03fffd3bd2b937bbee388d8742776d52f1e29', SUITE, sys.argv[1:]))

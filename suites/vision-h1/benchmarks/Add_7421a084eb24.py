"""Add alone: `python Add_7421a084eb24.py [--threads N] [--json]`.

Benchmark 7421a084eb247ab88caa4e509f6a0d5b6c201b3cbf1bf1c430b4609b8a231839,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7421a084eb247ab88caa4e509f6a0d5b6c201b3cbf1bf1c430b4609b8a231839', SUITE, sys.argv[1:]))

"""Add alone: `python Add_0ed6bbba8ffc.py [--threads N] [--json]`.

Benchmark 0ed6bbba8ffc3e88031fd7fc5ac86027c92cb5e3c42ee1241f90ff32d5634749,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0ed6bbba8ffc3e88031fd7fc5ac86027c92cb5e3c42ee1241f90ff32d5634749', SUITE, sys.argv[1:]))

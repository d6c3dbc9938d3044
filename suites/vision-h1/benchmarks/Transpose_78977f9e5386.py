"""Transpose alone: `python Transpose_78977f9e5386.py [--threads N] [--json]`.

Benchmark 78977f9e538626dae827c7d4a70b70ff90bb7c384d9bb2f08c8df3bd6779f89d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('78977f9e538626dae827c7d4a70b70ff90bb7c384d9bb2f08c8df3bd6779f89d', SUITE, sys.argv[1:]))

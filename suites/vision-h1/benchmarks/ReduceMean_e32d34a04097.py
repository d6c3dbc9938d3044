"""ReduceMean alone: `python ReduceMean_e32d34a04097.py [--threads N] [--json]`.

Benchmark e32d34a0409718bd3e87b5f9bb0259f9b70f51694706bedab5eb41b90c20b420,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e32d34a0409718bd3e87b5f9bb0259f9b70f51694706bedab5eb41b90c20b420', SUITE, sys.argv[1:]))

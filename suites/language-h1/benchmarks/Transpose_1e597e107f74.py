"""Transpose alone: `python Transpose_1e597e107f74.py [--threads N] [--json]`.

Benchmark 1e597e107f74ee8af8bfada4c90a021b707f3ae9ccdf154254d5c64209ea06ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1e597e107f74ee8af8bfada4c90a021b707f3ae9ccdf154254d5c64209ea06ca', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_25eb271b0c42.py [--threads N] [--json]`.

Benchmark 25eb271b0c42d4593dce9eb43350a2650a23c90026e724339c2bd666cba572a8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('25eb271b0c42d4593dce9eb43350a2650a23c90026e724339c2bd666cba572a8', SUITE, sys.argv[1:]))

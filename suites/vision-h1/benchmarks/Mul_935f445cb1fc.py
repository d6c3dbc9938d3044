"""Mul alone: `python Mul_935f445cb1fc.py [--threads N] [--json]`.

Benchmark 935f445cb1fc1747a4ba52f7dd0453405cd99c972674149e3bd370ab36820e83,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('935f445cb1fc1747a4ba52f7dd0453405cd99c972674149e3bd370ab36820e83', SUITE, sys.argv[1:]))

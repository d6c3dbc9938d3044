"""MatMul alone: `python MatMul_4a9b00789f0e.py [--threads N] [--json]`.

Benchmark 4a9b00789f0e9e0d0f65493905de76dc31464b5d0d8ecf0da60e7b6b1fc0df7b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4a9b00789f0e9e0d0f65493905de76dc31464b5d0d8ecf0da60e7b6b1fc0df7b', SUITE, sys.argv[1:]))

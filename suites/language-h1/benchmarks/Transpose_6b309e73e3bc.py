"""Transpose alone: `python Transpose_6b309e73e3bc.py [--threads N] [--json]`.

Benchmark 6b309e73e3bcdb4bffaeb05ed89b2eeeca8f20c911a77fdbbd4c49d681dc123b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b309e73e3bcdb4bffaeb05ed89b2eeeca8f20c911a77fdbbd4c49d681dc123b', SUITE, sys.argv[1:]))

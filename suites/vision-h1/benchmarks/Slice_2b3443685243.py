"""Slice alone: `python Slice_2b3443685243.py [--threads N] [--json]`.

Benchmark 2b34436852430f8df57be3c26d318424f69578a14dbc75ba4906032df543d28b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2b34436852430f8df57be3c26d318424f69578a14dbc75ba4906032df543d28b', SUITE, sys.argv[1:]))

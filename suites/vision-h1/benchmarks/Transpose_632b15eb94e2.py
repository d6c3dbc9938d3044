"""Transpose alone: `python Transpose_632b15eb94e2.py [--threads N] [--json]`.

Benchmark 632b15eb94e2bd90a37968f40c6ddba9140141ca937f5ed68bfabfb3b414fe5e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('632b15eb94e2bd90a37968f40c6ddba9140141ca937f5ed68bfabfb3b414fe5e', SUITE, sys.argv[1:]))

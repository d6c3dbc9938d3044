"""Softmax alone: `python Softmax_515ba9df375d.py [--threads N] [--json]`.

Benchmark 515ba9df375d064a9aae938b0e582866758993137909535ffc721e45676e9cb1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('515ba9df375d064a9aae938b0e582866758993137909535ffc721e45676e9cb1', SUITE, sys.argv[1:]))

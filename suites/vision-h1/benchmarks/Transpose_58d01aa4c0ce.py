"""Transpose alone: `python Transpose_58d01aa4c0ce.py [--threads N] [--json]`.

Benchmark 58d01aa4c0ceafef71c4302fe4a254e080c1321ee328aa343f9dc0914f604428,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('58d01aa4c0ceafef71c4302fe4a254e080c1321ee328aa343f9dc0914f604428', SUITE, sys.argv[1:]))

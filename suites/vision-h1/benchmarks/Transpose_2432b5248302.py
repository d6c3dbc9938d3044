"""Transpose alone: `python Transpose_2432b5248302.py [--threads N] [--json]`.

Benchmark 2432b52483023fb17e6866450dbecaef371114ac1d397e12cd1562a77c5f81e8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2432b52483023fb17e6866450dbecaef371114ac1d397e12cd1562a77c5f81e8', SUITE, sys.argv[1:]))

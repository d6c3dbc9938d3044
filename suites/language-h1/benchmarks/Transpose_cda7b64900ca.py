"""Transpose alone: `python Transpose_cda7b64900ca.py [--threads N] [--json]`.

Benchmark cda7b64900cab2494fb0af9e5d9487a0236c0ddca3060b1740a9f1bb62be0caa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cda7b64900cab2494fb0af9e5d9487a0236c0ddca3060b1740a9f1bb62be0caa', SUITE, sys.argv[1:]))

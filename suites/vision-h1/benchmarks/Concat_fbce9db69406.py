"""Concat alone: `python Concat_fbce9db69406.py [--threads N] [--json]`.

Benchmark fbce9db694066c54b2a8119ed94d82236014c3fee2901769b6d07a55e68150e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fbce9db694066c54b2a8119ed94d82236014c3fee2901769b6d07a55e68150e6', SUITE, sys.argv[1:]))

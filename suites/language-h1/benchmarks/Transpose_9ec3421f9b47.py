"""Transpose alone: `python Transpose_9ec3421f9b47.py [--threads N] [--json]`.

Benchmark 9ec3421f9b47ae26b52b67cbd9165b1b02ab67e34d51025437e49c7ae2c473e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9ec3421f9b47ae26b52b67cbd9165b1b02ab67e34d51025437e49c7ae2c473e1', SUITE, sys.argv[1:]))

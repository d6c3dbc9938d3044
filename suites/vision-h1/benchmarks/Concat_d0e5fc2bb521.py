"""Concat alone: `python Concat_d0e5fc2bb521.py [--threads N] [--json]`.

Benchmark d0e5fc2bb52145c4b53eb180c533e193a8bea236b986c91f87d89959dede566c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d0e5fc2bb52145c4b53eb180c533e193a8bea236b986c91f87d89959dede566c', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_006ab294f6ee.py [--threads N] [--json]`.

Benchmark 006ab294f6eef73dc75b77095f7a377e5f6aea335fe972aaf44e6763cf12b202,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('006ab294f6eef73dc75b77095f7a377e5f6aea335fe972aaf44e6763cf12b202', SUITE, sys.argv[1:]))

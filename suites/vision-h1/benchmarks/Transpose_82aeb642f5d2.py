"""Transpose alone: `python Transpose_82aeb642f5d2.py [--threads N] [--json]`.

Benchmark 82aeb642f5d26e5a71aeace7437fe4296f24715b9eaf887834c202993ecf6c29,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('82aeb642f5d26e5a71aeace7437fe4296f24715b9eaf887834c202993ecf6c29', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_ffa3b6954ffc.py [--threads N] [--json]`.

Benchmark ffa3b6954ffccd6c9d01e51d906ec4f3236e692a85b4bcb412ad7770a479563b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ffa3b6954ffccd6c9d01e51d906ec4f3236e692a85b4bcb412ad7770a479563b', SUITE, sys.argv[1:]))

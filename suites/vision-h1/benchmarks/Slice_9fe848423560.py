"""Slice alone: `python Slice_9fe848423560.py [--threads N] [--json]`.

Benchmark 9fe848423560919d7a7a5856ee49dd69c46c8019dbbb43e0f13a2fba040644d0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9fe848423560919d7a7a5856ee49dd69c46c8019dbbb43e0f13a2fba040644d0', SUITE, sys.argv[1:]))

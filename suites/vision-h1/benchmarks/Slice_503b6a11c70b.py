"""Slice alone: `python Slice_503b6a11c70b.py [--threads N] [--json]`.

Benchmark 503b6a11c70b1f3163c6ec50576d656de8288e02834ad302facc20454cd300eb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('503b6a11c70b1f3163c6ec50576d656de8288e02834ad302facc20454cd300eb', SUITE, sys.argv[1:]))

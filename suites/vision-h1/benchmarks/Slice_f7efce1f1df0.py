"""Slice alone: `python Slice_f7efce1f1df0.py [--threads N] [--json]`.

Benchmark f7efce1f1df0db5f0262262fb7661ca0c3c025770b62dd389b99544b5453dbbd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f7efce1f1df0db5f0262262fb7661ca0c3c025770b62dd389b99544b5453dbbd', SUITE, sys.argv[1:]))

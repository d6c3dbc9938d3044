"""Slice alone: `python Slice_261ebe38095c.py [--threads N] [--json]`.

Benchmark 261ebe38095cc5ba3dde08e557d5e85845e9b85b92d6797bda40f9d4d99d2aca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('261ebe38095cc5ba3dde08e557d5e85845e9b85b92d6797bda40f9d4d99d2aca', SUITE, sys.argv[1:]))

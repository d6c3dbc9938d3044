"""Slice alone: `python Slice_88c6cc555f04.py [--threads N] [--json]`.

Benchmark 88c6cc555f0483293eeed8885f6bf5b3d482560f20c3d47dd8447dd1074bc3a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88c6cc555f0483293eeed8885f6bf5b3d482560f20c3d47dd8447dd1074bc3a9', SUITE, sys.argv[1:]))

"""Anchor_MatMul alone: `python Anchor_MatMul_2d611b349a07.py [--threads N] [--json]`.

Benchmark 2d611b349a0794ff3fed8a6eaeae4fcd4ac3dae9f604a2b170a43d09bcaedbed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2d611b349a0794ff3fed8a6eaeae4fcd4ac3dae9f604a2b170a43d09bcaedbed', SUITE, sys.argv[1:]))

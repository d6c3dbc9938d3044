"""Transpose alone: `python Transpose_f36cc5e86477.py [--threads N] [--json]`.

Benchmark f36cc5e864778627311191ea7bc25b0c6216326170b6ec8cd3d3947ea60b547b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f36cc5e864778627311191ea7bc25b0c6216326170b6ec8cd3d3947ea60b547b', SUITE, sys.argv[1:]))

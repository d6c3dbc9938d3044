"""Transpose alone: `python Transpose_8a8b832fd2b7.py [--threads N] [--json]`.

Benchmark 8a8b832fd2b7f8d479c3d6252cdca171dfee0015c0d3611c2dfb4fbd9e86e81d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8a8b832fd2b7f8d479c3d6252cdca171dfee0015c0d3611c2dfb4fbd9e86e81d', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_11e865838231.py [--threads N] [--json]`.

Benchmark 11e8658382312a5cebad6a2a520967a9da84fc519d4099205ac078233b083406,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11e8658382312a5cebad6a2a520967a9da84fc519d4099205ac078233b083406', SUITE, sys.argv[1:]))

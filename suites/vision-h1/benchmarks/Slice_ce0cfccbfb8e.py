"""Slice alone: `python Slice_ce0cfccbfb8e.py [--threads N] [--json]`.

Benchmark ce0cfccbfb8eb7f952dfe9c7e77116a41bc75f9087c256284510348eea219b55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce0cfccbfb8eb7f952dfe9c7e77116a41bc75f9087c256284510348eea219b55', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_4291bf92c262.py [--threads N] [--json]`.

Benchmark 4291bf92c262ad1b902bb3951995af535cba64b865cb07fc91097367820f22cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4291bf92c262ad1b902bb3951995af535cba64b865cb07fc91097367820f22cf', SUITE, sys.argv[1:]))

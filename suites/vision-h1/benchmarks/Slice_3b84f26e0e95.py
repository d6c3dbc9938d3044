"""Slice alone: `python Slice_3b84f26e0e95.py [--threads N] [--json]`.

Benchmark 3b84f26e0e95be33e5ff43014db7ecdd404ebe73b2eef3aef4b95dd1b50427f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b84f26e0e95be33e5ff43014db7ecdd404ebe73b2eef3aef4b95dd1b50427f1', SUITE, sys.argv[1:]))

"""Transpose alone: `python Transpose_aee1ec10f5e8.py [--threads N] [--json]`.

Benchmark aee1ec10f5e874c67b867f2633854de385b42efe9e4fdc778cee8680d69be851,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aee1ec10f5e874c67b867f2633854de385b42efe9e4fdc778cee8680d69be851', SUITE, sys.argv[1:]))

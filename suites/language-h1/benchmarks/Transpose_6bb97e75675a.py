"""Transpose alone: `python Transpose_6bb97e75675a.py [--threads N] [--json]`.

Benchmark 6bb97e75675a3252940f539cb7ce520d73089322b8c12d70d49cd22ad9a8a062,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6bb97e75675a3252940f539cb7ce520d73089322b8c12d70d49cd22ad9a8a062', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_716dadf22c2c.py [--threads N] [--json]`.

Benchmark 716dadf22c2c3569c8d4fa73f98782cbd2101f79f9d963b723abe22e33e0dde8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('716dadf22c2c3569c8d4fa73f98782cbd2101f79f9d963b723abe22e33e0dde8', SUITE, sys.argv[1:]))

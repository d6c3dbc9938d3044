"""Transpose alone: `python Transpose_fec167692859.py [--threads N] [--json]`.

Benchmark fec16769285930f19ee40fa40c4739625844ba4731983d1dd1927bd3fde8bd7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fec16769285930f19ee40fa40c4739625844ba4731983d1dd1927bd3fde8bd7a', SUITE, sys.argv[1:]))

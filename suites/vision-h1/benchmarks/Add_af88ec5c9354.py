"""Add alone: `python Add_af88ec5c9354.py [--threads N] [--json]`.

Benchmark af88ec5c935425dece0cebd9bfeb6a1abb3652b2453845afefded4a53f78a636,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('af88ec5c935425dece0cebd9bfeb6a1abb3652b2453845afefded4a53f78a636', SUITE, sys.argv[1:]))

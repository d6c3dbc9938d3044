"""Gather alone: `python Gather_fd38d2075a0c.py [--threads N] [--json]`.

Benchmark fd38d2075a0ce20c7d913919e71752364a4e8ad5ff47d13ae761e20464119f7d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fd38d2075a0ce20c7d913919e71752364a4e8ad5ff47d13ae761e20464119f7d', SUITE, sys.argv[1:]))

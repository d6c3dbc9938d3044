"""Slice alone: `python Slice_b67fcc27ceca.py [--threads N] [--json]`.

Benchmark b67fcc27ceca713739d549e9bb3d7f8e0b4342c5231cdcef62e77ca9f29fcfb1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b67fcc27ceca713739d549e9bb3d7f8e0b4342c5231cdcef62e77ca9f29fcfb1', SUITE, sys.argv[1:]))

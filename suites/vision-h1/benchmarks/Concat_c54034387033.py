"""Concat alone: `python Concat_c54034387033.py [--threads N] [--json]`.

Benchmark c540343870339ffba9e842c5043245be9426e243b23896d973fd44b651644997,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c540343870339ffba9e842c5043245be9426e243b23896d973fd44b651644997', SUITE, sys.argv[1:]))

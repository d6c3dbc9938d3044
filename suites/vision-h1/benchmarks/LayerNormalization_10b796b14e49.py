"""LayerNormalization alone: `python LayerNormalization_10b796b14e49.py [--threads N] [--json]`.

Benchmark 10b796b14e4920a04c477aab04b8ad4a37b963a75cd27b9a7355f5c861b29e34,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('10b796b14e4920a04c477aab04b8ad4a37b963a75cd27b9a7355f5c861b29e34', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_9aa4e9e6e454.py [--threads N] [--json]`.

Benchmark 9aa4e9e6e454f98c0704987438ed3bea089cc7303ae775b50999a2e648ccd920,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9aa4e9e6e454f98c0704987438ed3bea089cc7303ae775b50999a2e648ccd920', SUITE, sys.argv[1:]))

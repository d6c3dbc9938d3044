"""Transpose alone: `python Transpose_d687196783e4.py [--threads N] [--json]`.

Benchmark d687196783e4e6a53998ff6836e7b545abcfaa85d3e949302336554116e75a74,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d687196783e4e6a53998ff6836e7b545abcfaa85d3e949302336554116e75a74', SUITE, sys.argv[1:]))

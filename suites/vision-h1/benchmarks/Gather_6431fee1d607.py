"""Gather alone: `python Gather_6431fee1d607.py [--threads N] [--json]`.

Benchmark 6431fee1d6070605ff780aa1969245d8bcaf750cf7ddd60afb0854716dda1d96,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6431fee1d6070605ff780aa1969245d8bcaf750cf7ddd60afb0854716dda1d96', SUITE, sys.argv[1:]))

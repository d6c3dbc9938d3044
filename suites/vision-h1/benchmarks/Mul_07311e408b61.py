"""Mul alone: `python Mul_07311e408b61.py [--threads N] [--json]`.

Benchmark 07311e408b612d14f593cfbd37cec5f3ea9a986b552cba0b9ecab54672b13ea6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('07311e408b612d14f593cfbd37cec5f3ea9a986b552cba0b9ecab54672b13ea6', SUITE, sys.argv[1:]))

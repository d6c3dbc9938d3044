"""Concat alone: `python Concat_081c986e9b4e.py [--threads N] [--json]`.

Benchmark 081c986e9b4e26e4e6ee9380029f97f830e56bbd479051820c503e5902a0568d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('081c986e9b4e26e4e6ee9380029f97f830e56bbd479051820c503e5902a0568d', SUITE, sys.argv[1:]))

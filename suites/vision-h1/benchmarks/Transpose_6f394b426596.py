"""Transpose alone: `python Transpose_6f394b426596.py [--threads N] [--json]`.

Benchmark 6f394b4265965416c4745fa4d4d3f477c39b9723d6845259559fadfc5f4938b1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f394b4265965416c4745fa4d4d3f477c39b9723d6845259559fadfc5f4938b1', SUITE, sys.argv[1:]))

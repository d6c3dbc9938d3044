"""Concat alone: `python Concat_3e615e7b3757.py [--threads N] [--json]`.

Benchmark 3e615e7b375766ee8380e9390c09675cc9099db659a2849c46e99f91cdf180fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3e615e7b375766ee8380e9390c09675cc9099db659a2849c46e99f91cdf180fe', SUITE, sys.argv[1:]))

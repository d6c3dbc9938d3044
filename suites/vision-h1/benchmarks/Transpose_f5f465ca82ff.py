"""Transpose alone: `python Transpose_f5f465ca82ff.py [--threads N] [--json]`.

Benchmark f5f465ca82ffe0d009b536f078dc573469180aaa253e574801633ebc5789eba5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5f465ca82ffe0d009b536f078dc573469180aaa253e574801633ebc5789eba5', SUITE, sys.argv[1:]))

"""Conv_Add alone: `python Conv_Add_563586c34358.py [--threads N] [--json]`.

Benchmark 563586c343589baecb2b5ee34f8195a8e2dcc83fa7501398e74deb2c5817d0b7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('563586c343589baecb2b5ee34f8195a8e2dcc83fa7501398e74deb2c5817d0b7', SUITE, sys.argv[1:]))

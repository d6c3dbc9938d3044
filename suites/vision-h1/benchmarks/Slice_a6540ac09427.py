"""Slice alone: `python Slice_a6540ac09427.py [--threads N] [--json]`.

Benchmark a6540ac0942724891de4dfbea8764195463a9d1ba80367c20e0e6c8fae10bf1c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a6540ac0942724891de4dfbea8764195463a9d1ba80367c20e0e6c8fae10bf1c', SUITE, sys.argv[1:]))

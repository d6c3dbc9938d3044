"""Anchor_Neg alone: `python Anchor_Neg_19a8a6f24483.py [--threads N] [--json]`.

Benchmark 19a8a6f2448362225b25bc713bdd139b06b4e9c521dcc4db43c0365ff399875e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19a8a6f2448362225b25bc713bdd139b06b4e9c521dcc4db43c0365ff399875e', SUITE, sys.argv[1:]))

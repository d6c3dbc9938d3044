"""Neg alone: `python Neg_e2ca7d98bc7e.py [--threads N] [--json]`.

Benchmark e2ca7d98bc7e2d84c407d3dcaaf7b67d88e8247f4df7aa9e9f4236807bc113bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2ca7d98bc7e2d84c407d3dcaaf7b67d88e8247f4df7aa9e9f4236807bc113bc', SUITE, sys.argv[1:]))

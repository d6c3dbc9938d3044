"""Transpose alone: `python Transpose_65baec508502.py [--threads N] [--json]`.

Benchmark 65baec50850253744848b05673d947afbfd685998de11c65e1c2b8d6f593c624,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65baec50850253744848b05673d947afbfd685998de11c65e1c2b8d6f593c624', SUITE, sys.argv[1:]))

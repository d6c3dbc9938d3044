"""Softmax alone: `python Softmax_ea9ab018508f.py [--threads N] [--json]`.

Benchmark ea9ab018508f7f9c5b367e0a1239d3b4964db021245bc4d04707ce49985caa01,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea9ab018508f7f9c5b367e0a1239d3b4964db021245bc4d04707ce49985caa01', SUITE, sys.argv[1:]))

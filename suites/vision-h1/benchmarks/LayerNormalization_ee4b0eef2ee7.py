"""LayerNormalization alone: `python LayerNormalization_ee4b0eef2ee7.py [--threads N] [--json]`.

Benchmark ee4b0eef2ee7aef74dbd57e0771bd16ce92e15cad3fbb9a11f844aed6cf9e451,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee4b0eef2ee7aef74dbd57e0771bd16ce92e15cad3fbb9a11f844aed6cf9e451', SUITE, sys.argv[1:]))

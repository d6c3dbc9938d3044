"""Add alone: `python Add_34dd2cc7df56.py [--threads N] [--json]`.

Benchmark 34dd2cc7df56cb602e5d48ce651f5a7aed74fd9260cb7cc21112b52666f5b22d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('34dd2cc7df56cb602e5d48ce651f5a7aed74fd9260cb7cc21112b52666f5b22d', SUITE, sys.argv[1:]))

"""Gelu alone: `python Gelu_59dd7d802070.py [--threads N] [--json]`.

Benchmark 59dd7d8020704112da509626488408fe8a7e01b1f65bc636e7f26a0f3f83c852,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('59dd7d8020704112da509626488408fe8a7e01b1f65bc636e7f26a0f3f83c852', SUITE, sys.argv[1:]))

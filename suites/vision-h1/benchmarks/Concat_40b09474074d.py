"""Concat alone: `python Concat_40b09474074d.py [--threads N] [--json]`.

Benchmark 40b09474074d73ebbcf1012e1dffac011d281f10b3660986d51b7522be0868ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('40b09474074d73ebbcf1012e1dffac011d281f10b3660986d51b7522be0868ed', SUITE, sys.argv[1:]))

"""Slice alone: `python Slice_164b0b36cad2.py [--threads N] [--json]`.

Benchmark 164b0b36cad2f95a509426ec200e5323975bef33df0eb713af94aef7854d6e4f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('164b0b36cad2f95a509426ec200e5323975bef33df0eb713af94aef7854d6e4f', SUITE, sys.argv[1:]))

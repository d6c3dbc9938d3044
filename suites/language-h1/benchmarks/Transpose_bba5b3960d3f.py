"""Transpose alone: `python Transpose_bba5b3960d3f.py [--threads N] [--json]`.

Benchmark bba5b3960d3f07425363b21e84a87619f212403c3e6741ea27f48ec809098062,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bba5b3960d3f07425363b21e84a87619f212403c3e6741ea27f48ec809098062', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_b018341f5d8e.py [--threads N] [--json]`.

Benchmark b018341f5d8ebabf70d3abae7f48bee5634d10db311ee714097c1f9dd6c173de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b018341f5d8ebabf70d3abae7f48bee5634d10db311ee714097c1f9dd6c173de', SUITE, sys.argv[1:]))

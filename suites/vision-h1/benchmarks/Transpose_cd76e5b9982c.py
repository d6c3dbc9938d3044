"""Transpose alone: `python Transpose_cd76e5b9982c.py [--threads N] [--json]`.

Benchmark cd76e5b9982cec2348765ba51c609068823cdfb379cd2bce05ef56fc6929b824,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cd76e5b9982cec2348765ba51c609068823cdfb379cd2bce05ef56fc6929b824', SUITE, sys.argv[1:]))

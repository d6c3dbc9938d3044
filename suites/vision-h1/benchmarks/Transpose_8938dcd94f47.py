"""Transpose alone: `python Transpose_8938dcd94f47.py [--threads N] [--json]`.

Benchmark 8938dcd94f4795b5d3a109951e513dfb76ca8015fbc03169628fa79e2789c680,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8938dcd94f4795b5d3a109951e513dfb76ca8015fbc03169628fa79e2789c680', SUITE, sys.argv[1:]))

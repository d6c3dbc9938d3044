"""LayerNormalization alone: `python LayerNormalization_1b107b4c5173.py [--threads N] [--json]`.

Benchmark 1b107b4c5173dc359abcd8464b25367405d3f67de087fc77de1b1cb9b5f3f047,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1b107b4c5173dc359abcd8464b25367405d3f67de087fc77de1b1cb9b5f3f047', SUITE, sys.argv[1:]))

"""Relu alone: `python Relu_13e349d3b265.py [--threads N] [--json]`.

Benchmark 13e349d3b2654d887fa25dbf18f4430452d527854494215b8a3e7d5f4c157940,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('13e349d3b2654d887fa25dbf18f4430452d527854494215b8a3e7d5f4c157940', SUITE, sys.argv[1:]))

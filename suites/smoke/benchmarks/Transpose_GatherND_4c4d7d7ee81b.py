"""Transpose_GatherND alone: `python Transpose_GatherND_4c4d7d7ee81b.py [--threads N] [--json]`.

Benchmark 4c4d7d7ee81b9537ba365ac490b3b30b55f1c3cbff514f3a0ff858cd25805273,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c4d7d7ee81b9537ba365ac490b3b30b55f1c3cbff514f3a0ff858cd25805273', SUITE, sys.argv[1:]))

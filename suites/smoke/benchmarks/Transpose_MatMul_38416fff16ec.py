"""Transpose_MatMul alone: `python Transpose_MatMul_38416fff16ec.py [--threads N] [--json]`.

Benchmark 38416fff16ece624ac5633b8037a5919a585e3c84110fcbcab9c5b5532bb9a16,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('38416fff16ece624ac5633b8037a5919a585e3c84110fcbcab9c5b5532bb9a16', SUITE, sys.argv[1:]))

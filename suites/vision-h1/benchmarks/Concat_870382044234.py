"""Concat alone: `python Concat_870382044234.py [--threads N] [--json]`.

Benchmark 8703820442342c4d05bb72cadb075dac62bcffb346b98f5b1e31435b0fe919c1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8703820442342c4d05bb72cadb075dac62bcffb346b98f5b1e31435b0fe919c1', SUITE, sys.argv[1:]))

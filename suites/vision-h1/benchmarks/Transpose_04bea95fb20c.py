"""Transpose alone: `python Transpose_04bea95fb20c.py [--threads N] [--json]`.

Benchmark 04bea95fb20c9f64224b936c0842bc888719c046a39c57dfed96a7da0e4a0968,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('04bea95fb20c9f64224b936c0842bc888719c046a39c57dfed96a7da0e4a0968', SUITE, sys.argv[1:]))

"""Concat alone: `python Concat_a48aa9e4c581.py [--threads N] [--json]`.

Benchmark a48aa9e4c581da8519646742c030b40ab1e3aec134a239cdbed9dbc003165178,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a48aa9e4c581da8519646742c030b40ab1e3aec134a239cdbed9dbc003165178', SUITE, sys.argv[1:]))

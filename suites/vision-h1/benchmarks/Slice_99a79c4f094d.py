"""Slice alone: `python Slice_99a79c4f094d.py [--threads N] [--json]`.

Benchmark 99a79c4f094dd46024be32cf728a1fec5de614235a25e047794cf2a42d738966,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('99a79c4f094dd46024be32cf728a1fec5de614235a25e047794cf2a42d738966', SUITE, sys.argv[1:]))

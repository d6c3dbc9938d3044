"""Concat alone: `python Concat_ffb537187e7a.py [--threads N] [--json]`.

Benchmark ffb537187e7a05c3e116c5f3d9c44d8cce3cf91407e46e6f849a4538d183e485,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ffb537187e7a05c3e116c5f3d9c44d8cce3cf91407e46e6f849a4538d183e485', SUITE, sys.argv[1:]))
